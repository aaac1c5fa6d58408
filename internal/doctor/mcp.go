package doctor

import (
	"context"
	"fmt"
	"time"
)

const checkMCP = "mcp"

// MCP is the server that an agent's program starts to give tutti's tools to its model.
type MCP interface {
	// Probe starts it as such a program does and asks what it offers.
	Probe(ctx context.Context) (MCPOffer, error)
	// Program is this program's path; OnPath is what PATH has under the name that the
	// set-up of hosts uses: empty for nothing, the same path for this program.
	Program() string
	OnPath() string
}

// MCPOffer is what the server offers, and how long it took to say so.
type MCPOffer struct {
	Protocol       string
	Tools, Prompts int
	Took           time.Duration
}

// mcp wants what a host wants. A user without a host loses nothing when it fails,
// so that is no problem.
func (e examination) mcp(ctx context.Context) []Finding {
	offer, err := e.subject.MCP.Probe(ctx)
	if err != nil {
		return []Finding{{
			Check: checkMCP, Level: Warning,
			Message:  "`tutti mcp` cannot be used by an agent's program: " + line(err),
			NextStep: "run `tutti mcp </dev/null` and correct what it says",
		}}
	}
	findings := []Finding{fine(checkMCP, "`tutti mcp` answers in %s: %s, %s, protocol %s",
		offer.Took.Round(10*time.Millisecond), count(offer.Tools, "tool"), count(offer.Prompts, "prompt"), offer.Protocol)}
	program := e.subject.MCP.Program()
	switch found := e.subject.MCP.OnPath(); found {
	case program:
	case "":
		findings = append(findings, Finding{
			Check: checkMCP, Level: Advice, Message: "PATH has no tutti, by which name agents' programs start it",
			NextStep: "put it on PATH, or give them the whole path: " + program,
		})
	default:
		findings = append(findings, Finding{
			Check: checkMCP, Level: Advice, Message: fmt.Sprintf("agents' programs that start tutti by its name start %s and not this program", found),
			NextStep: "put this one first on PATH, or give them the whole path: " + program,
		})
	}
	return findings
}
