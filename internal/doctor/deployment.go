package doctor

import (
	"context"
	"fmt"
	"slices"

	"github.com/tutti-dev/tutti/internal/runs"
)

const checkDeployment = "deployment"

// Deployments is how runs find workers of several builds.
type Deployments interface {
	// Routing says which build gets the runs that are not pinned, and who polls.
	Routing(ctx context.Context) (runs.Routing, error)
	// Pinned looks at the newest open runs that are pinned to a build, at most
	// limit of them, and returns those of the tenant; more says that there are some
	// it did not look at.
	Pinned(ctx context.Context, limit int) (pinned []PinnedRun, more bool, err error)
	// MakeCurrentCommand is what sends all runs that are not pinned to a build.
	MakeCurrentCommand(v runs.Version) string
}

// PinnedRun is an open run that is executed by one build alone.
type PinnedRun struct {
	RunID   string
	Version runs.Version
}

// deployment says nothing where nobody uses deployments.
func (e examination) deployment(ctx context.Context) []Finding {
	routing, err := e.subject.Deployments.Routing(ctx)
	if err != nil {
		return nil // The workers' check has said so.
	}
	routing.Pollers = slices.DeleteFunc(slices.Clone(routing.Pollers), func(p runs.Poller) bool {
		return e.subject.Now.Sub(p.LastSeen) >= pollerAge
	})
	findings := e.current(routing)
	pinned, more, err := e.subject.Deployments.Pinned(ctx, maxRuns)
	if err != nil {
		return append(findings, unseen(checkDeployment, err))
	}
	waiting := 0
	for _, p := range pinned {
		if routing.Serves(p.Version) {
			continue
		}
		waiting++
		findings = append(findings, Finding{
			Check: checkDeployment, Level: Warning,
			Message: fmt.Sprintf("%s is pinned to %s, which nobody polls, so it waits", p.RunID, p.Version),
			NextStep: fmt.Sprintf("start `tutti worker` as that build; to let the run go on under the current one, run "+
				"`temporal workflow update-options --workflow-id %s --versioning-override-behavior unspecified`", p.RunID),
		})
	}
	if n := len(pinned) - waiting; n > 0 {
		findings = append(findings, fine(checkDeployment, "%s pinned to builds that are polled", count(n, "open run")+" "+verb(n, "is", "are")))
	}
	if more {
		findings = append(findings, fine(checkDeployment, "of the open runs that are pinned, those before the newest %d were not looked at", maxRuns))
	}
	return findings
}

// current says where the runs go that are not pinned.
func (e examination) current(routing runs.Routing) []Finding {
	deployed := slices.IndexFunc(routing.Pollers, func(p runs.Poller) bool { return !p.Version.IsZero() })
	ours := runs.Version{Deployment: e.subject.Config.Deployment.Name, Build: e.subject.Config.Deployment.BuildID}
	if deployed >= 0 && (ours.IsZero() || !routing.Polled(ours)) {
		ours = routing.Pollers[deployed].Version
	}
	served := routing.Serves(runs.Version{})
	switch {
	case ours.IsZero() && routing.Current.IsZero():
		return nil
	case !routing.Current.IsZero() && served:
		return []Finding{fine(checkDeployment, "%s is current and is polled%s", routing.Current, ramp(routing))}
	case !routing.Current.IsZero():
		return []Finding{{
			Check: checkDeployment, Level: Warning,
			Message:  fmt.Sprintf("nobody polls as %s, which is current, so runs that are not pinned wait", routing.Current),
			NextStep: "start `tutti worker` as that build, or make another one current" + e.another(routing, deployed),
		}}
	case served:
		return []Finding{{
			Check: checkDeployment, Level: Advice,
			Message:  "no build is current, so workers without a deployment get all runs that are not pinned",
			NextStep: "when a build is to take them over, run " + e.command(ours),
		}}
	}
	return []Finding{{
		Check: checkDeployment, Level: Warning,
		Message:  "no build is current and every worker polls as one, so runs that are not pinned wait",
		NextStep: "run " + e.command(ours),
	}}
}

// ramp says that another build gets a part of the runs, if so.
func ramp(r runs.Routing) string {
	if r.Percentage == 0 {
		return ""
	}
	return fmt.Sprintf("; %g%% of the runs go to %s", r.Percentage, r.Ramping)
}

// another is the command for a build that is polled, if there is one.
func (e examination) another(routing runs.Routing, deployed int) string {
	if deployed < 0 {
		return ""
	}
	return ": " + e.command(routing.Pollers[deployed].Version)
}

func (e examination) command(v runs.Version) string {
	return "`" + e.subject.Deployments.MakeCurrentCommand(v) + "`"
}
