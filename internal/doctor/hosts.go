package doctor

import (
	"context"
	"fmt"
	"strings"
	"time"
)

const checkHosts = "hosts"

// Hosts is what hosts have in hand, and who they are.
type Hosts interface {
	// Awaiting looks at the newest open runs of the tenant, at most limit of them,
	// for tasks that wait for a host.
	Awaiting(ctx context.Context, limit int) ([]Awaiting, error)
	// Seen names the hosts that executed or claimed tasks of the latest runs.
	Seen(ctx context.Context) ([]string, error)
}

// Awaiting is a run of which tasks wait for a host.
type Awaiting struct {
	RunID string
	// Tasks is how many wait, UpdatedAt when the run last moved.
	Tasks     int
	UpdatedAt time.Time
	Claims    []HostClaim
}

// HostClaim is a claim on a task that waits, live or expired.
type HostClaim struct {
	Task, Holder string
	Expires      time.Time
}

// hosts has nothing but advice: a run may wait for weeks, and that is no fault.
func (e examination) hosts(ctx context.Context) []Finding {
	awaiting, err := e.subject.Hosts.Awaiting(ctx, maxRuns)
	if err != nil {
		return []Finding{unseen(checkHosts, err)}
	}
	summary := fine(checkHosts, "no run waits for a host")
	if len(awaiting) > 0 {
		summary = fine(checkHosts, "%s for a host", count(len(awaiting), "run")+" "+verb(len(awaiting), "waits", "wait"))
		summary.NextStep = "take a prompt with `tutti host next`, or from an agent's session with orchestration_next"
	}
	findings := append([]Finding{summary}, e.seen(ctx)...)
	for _, a := range awaiting {
		findings = append(findings, e.claims(a)...)
		if stale := e.subject.Config.Host.StaleAfter; stale > 0 && e.subject.Now.Sub(a.UpdatedAt) >= stale {
			findings = append(findings, Finding{
				Check: checkHosts, Level: Advice,
				Message:  fmt.Sprintf("%s has waited for a host for %s", a.RunID, e.subject.Now.Sub(a.UpdatedAt).Round(time.Minute)),
				NextStep: fmt.Sprintf("go on with `tutti host next %s`, or end it with `tutti run cancel %s`", a.RunID, a.RunID),
			})
		}
	}
	return findings
}

// seen names the hosts of the latest runs. Where the store cannot be asked, the
// store's own finding says so.
func (e examination) seen(ctx context.Context) []Finding {
	seen, err := e.subject.Hosts.Seen(ctx)
	if err != nil {
		return nil
	}
	if len(seen) == 0 {
		none := fine(checkHosts, "no host has had a part in a run yet")
		none.NextStep = "add tutti to your agent's program (`tutti mcp --help`), or work by hand: `tutti host --help`"
		return []Finding{none}
	}
	return []Finding{fine(checkHosts, "hosts seen: %s", strings.Join(seen, ", "))}
}

func (e examination) claims(a Awaiting) []Finding {
	var findings []Finding
	for _, c := range a.Claims {
		if !e.subject.Now.Before(c.Expires) {
			continue
		}
		findings = append(findings, Finding{
			Check: checkHosts, Level: Advice,
			Message:  fmt.Sprintf("%s has task %s of %s in hand until %s", c.Holder, c.Task, a.RunID, c.Expires.UTC().Format(time.RFC3339)),
			NextStep: fmt.Sprintf("nothing; if that session is gone, `tutti host next %s --takeover`", a.RunID),
		})
	}
	return findings
}

func verb(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}
