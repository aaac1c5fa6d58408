package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/tutti-dev/tutti/internal/app"
	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/runs"
)

// hostWish is one `tutti host next` with its flags.
type hostWish struct {
	format
	lease    time.Duration
	takeover bool
}

// The bounds of a lease. The longest is the domain's.
const (
	defaultLease = 15 * time.Minute
	minLease     = time.Second
	maxLease     = 24 * time.Hour
)

func (c *command) hostNext() *cobra.Command {
	var w hostWish
	cmd := &cobra.Command{
		Use:   "next [RUN]",
		Short: "Print a prompt that waits for a host, and claim it",
		Long: `Print a prompt that waits for a host, and claim it: while the claim lasts, nobody
else is given the same one. Without RUN it is a prompt of any run of yours.

The text has three parts: system, user, and as its last line the command that
hands the result in from standard input. Exit code 3 says that there is nothing
to pick up; a prompt in the making is waited for, 20 seconds at most.`,
		Args: optional(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.next(cmd.Context(), first(args), w)
		},
	}
	w.addJSON(cmd)
	cmd.Flags().DurationVar(&w.lease, "lease", defaultLease, "how long the claim lasts")
	cmd.Flags().BoolVar(&w.takeover, "takeover", false, "take a prompt over from another session of yours, whose result then counts no more")
	complete(cmd, "lease")
	cmd.ValidArgsFunction = c.completeRun
	return cmd
}

func (c *command) next(ctx context.Context, word string, w hostWish) error {
	if w.lease < minLease || w.lease > maxLease {
		return usage(fmt.Sprintf("--lease %s is out of range", w.lease), fmt.Sprintf("use %s to %s", minLease, maxLease))
	}
	picked, err := c.pickUp(ctx, word, w)
	if err != nil {
		return err
	}
	r, t := &picked.Record, picked.Task()
	if err := c.rememberClaim(r.RunID, t.ID, picked.Claim.Token); err != nil {
		c.say("warning: %s; give --token %d to `tutti host submit`", oneLine(err.Error()), picked.Claim.Token)
	}
	next, err := c.nextTask(ctx, r, t)
	if err != nil {
		return err
	}
	if w.json {
		next.ClaimToken, next.ClaimExpiresAt = picked.Claim.Token, picked.Claim.ExpiresAt.Format(time.RFC3339)
		return c.printJSON(next)
	}
	c.say("run %s, task %s (%s), claimed until %s", r.RunID, t.ID, t.Specialist.Name, moment(&picked.Claim.ExpiresAt, c.zone()))
	if len(next.Tools) > 0 {
		c.say("tools that the specialist may use: %s", strings.Join(next.Tools, ", "))
	}
	return c.printText("===== system =====\n" + next.System + "\n===== user =====\n" + next.User +
		"\n===== submit the result =====\n" + submitCommand(r.RunID, t.ID))
}

func (c *command) pickUp(ctx context.Context, word string, w hostWish) (app.Picked, error) {
	a, err := c.open()
	if err != nil {
		return app.Picked{}, err
	}
	wish := app.Pickup{Holder: c.holder(), Lease: w.lease, Takeover: w.takeover}
	if word != "" {
		if _, wish.RunID, err = c.named(ctx, word); err != nil {
			return app.Picked{}, err
		}
	}
	picked, err := a.PickUp(ctx, wish)
	var none *app.NothingError
	switch {
	case errors.As(err, &none):
		return picked, nothing(none)
	case errors.Is(err, runs.ErrNoWorker):
		return picked, &failure{
			code: ExitPlatform, err: err, message: "a prompt waits, and no worker was there to hand it out",
			next: "start one with `tutti worker`, or read the prompt without a claim with `tutti run prompt`; a result can be submitted already",
		}
	}
	return picked, c.refusal(c.notFound(word, err), w.format)
}

// nextTask is a task's prompt as it was materialised, without a claim.
func (c *command) nextTask(ctx context.Context, r *run.Record, t *run.Task) (nextTask, error) {
	p, err := c.promptOf(ctx, *r, t)
	return nextTask{
		RunID: r.RunID, TaskID: t.ID, Role: t.Specialist.Name, Tools: t.Tools,
		System: p.System, User: p.User, PromptSHA256: t.PromptSHA256,
	}, err
}
