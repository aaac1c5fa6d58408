package cli

import (
	"context"
	"crypto/rand"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/tutti-dev/tutti/internal/app"
	"github.com/tutti-dev/tutti/internal/history"
	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/runs"
)

// handing is one `tutti host submit` or `tutti host fail` with its flags.
type handing struct {
	*command
	format
	token int64
}

func (h *handing) flags(cmd *cobra.Command) {
	h.addJSON(cmd)
	cmd.Flags().Int64Var(&h.token, "token", 0, "token of the claim (default: what `tutti host next` was given here)")
	complete(cmd, "token")
	cmd.ValidArgsFunction = h.completeRunAndTask
}

// handIn submits a result and says what became of it.
func (h *handing) handIn(ctx context.Context, word string, in history.HostResult) error {
	since := time.Now()
	a, err := h.open()
	if err != nil {
		return err
	}
	_, runID, err := h.named(ctx, word)
	if err != nil {
		return err
	}
	if in.ClaimToken = h.token; h.token == 0 {
		if in.ClaimToken, err = h.rememberedClaim(runID, in.TaskID); err != nil {
			return err
		}
	}
	in.HostRole, in.SubmittedBy, in.Session, in.SubmissionID = roleCLI, h.holder(), h.session(), rand.Text()
	verdict, err := a.HandIn(ctx, runID, in)
	if err != nil {
		return h.refusal(h.notFound(word, err), h.format)
	}
	if verdict.Pending {
		return h.pending(runID)
	}
	h.forgetClaim(runID, in.TaskID)
	a.Project(ctx, runID)
	return h.accepted(ctx, a, runID, verdict, since)
}

// handedIn is what became of a result, for programs: in the words of the MCP tools.
type handedIn struct {
	Accepted  *bool      `json:"accepted"` // null: nobody could decide yet
	Pending   bool       `json:"pending,omitempty"`
	Duplicate bool       `json:"duplicate,omitempty"`
	RunStatus run.Status `json:"run_status,omitempty"`
	NextTask  *nextTask  `json:"next_task"`
}

func (h *handing) pending(runID string) error {
	if h.json {
		if err := h.printJSON(handedIn{Pending: true}); err != nil {
			return err
		}
	}
	return &failure{
		code: ExitPlatform, message: "the result is pending: no worker could decide in time, and it counts when one is back",
		next: "start one with `tutti worker`, then see `tutti run show " + runID + "`",
	}
}

// accepted waits for the next prompt, if one is in the making, and tells of it. It
// is not claimed: whoever goes on asks for it.
func (h *handing) accepted(ctx context.Context, a *app.App, runID string, verdict runs.Verdict, since time.Time) error {
	c, err := a.Runs(ctx)
	if err != nil {
		return err
	}
	folded, err := c.Settle(ctx, a.Config.Tenant, runID, app.HostPatience-time.Since(since))
	if err != nil {
		return err
	}
	r, yes := &folded.Record, true
	out := handedIn{Accepted: &yes, Duplicate: verdict.Duplicate, RunStatus: r.Status}
	for i := range r.Tasks {
		if t := &r.Tasks[i]; t.Status == run.TaskAwaitingHost && out.NextTask == nil {
			next, err := h.nextTask(ctx, r, t)
			if err != nil {
				h.say("warning: %s", oneLine(err.Error()))
			}
			out.NextTask = &next
		}
	}
	if h.json {
		return h.printJSON(out)
	}
	return h.tell(runID, out)
}

func (h *handing) tell(runID string, out handedIn) error {
	word := "accepted"
	if out.Duplicate {
		word = "accepted before, it counts once"
	}
	if _, err := fmt.Fprintf(h.process.Stdout, "%s; run %s is %s\n", word, runID, out.RunStatus); err != nil {
		return err
	}
	switch {
	case out.NextTask != nil:
		h.say("%s waits for a host: `tutti host next %s`", out.NextTask.TaskID, runID)
	case out.RunStatus.IsTerminal():
		h.say("see the result with `tutti run output %s`", runID)
	default:
		h.say("no prompt waits now; follow the run with `tutti run watch %s`", runID)
	}
	return nil
}
