package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/tutti-dev/tutti/internal/content"
	"github.com/tutti-dev/tutti/internal/run"
)

// prompt is a materialised prompt for programs.
type prompt struct {
	RunID  string `json:"runId"`
	TaskID string `json:"taskId"`
	System string `json:"system"`
	User   string `json:"user"`
	SHA256 string `json:"sha256"`
}

func (c *command) runPrompt() *cobra.Command {
	var f format
	cmd := &cobra.Command{
		Use:   "prompt RUN [TASK]",
		Short: "Print the prompt that a task was given",
		Long: `Print the prompt that a task was given: the very bytes, read by their digest and
never made anew. TASK may be left out when the run has one task.`,
		Args: argumentCount(2, "the run's ID"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.prompt(cmd.Context(), args[0], second(args), f)
		},
	}
	f.addJSON(cmd)
	cmd.ValidArgsFunction = c.completeRunAndTask
	return cmd
}

func (c *command) prompt(ctx context.Context, word, taskID string, f format) error {
	_, folded, err := c.load(ctx, word)
	if err != nil {
		return err
	}
	r := &folded.Record
	t, err := taskNamed(r, taskID)
	if err != nil {
		return err
	}
	p, err := c.promptOf(ctx, *r, t)
	if err != nil {
		return err
	}
	if f.json {
		return c.printJSON(prompt{RunID: r.RunID, TaskID: t.ID, System: p.System, User: p.User, SHA256: t.PromptSHA256})
	}
	return c.printText("===== system =====\n" + p.System + "\n===== user =====\n" + p.User)
}

// promptOf returns a task's prompt as it was materialised.
func (c *command) promptOf(ctx context.Context, r run.Record, t *run.Task) (run.HostPrompt, error) {
	if t.Prompt == nil {
		return run.HostPrompt{}, noPrompt(&r, t)
	}
	texts := c.textsOf(&r)
	var p run.HostPrompt
	var err error
	if p.System, err = texts.fetch(ctx, "the prompt of "+t.ID, t.Prompt.System); err != nil {
		return p, err
	}
	if p.User, err = texts.fetch(ctx, "the prompt of "+t.ID, t.Prompt.User); err != nil {
		return p, err
	}
	if got := content.Digest(p.System + "\x00" + p.User); t.PromptSHA256 != "" && got != t.PromptSHA256 {
		return p, fmt.Errorf("the prompt of %s has digest %s and not %s, as the run recorded; see `tutti doctor`",
			t.ID, short(got), short(t.PromptSHA256))
	}
	return p, nil
}

// noPrompt says why a task has no prompt.
func noPrompt(r *run.Record, t *run.Task) error {
	what := fmt.Sprintf("task %s of run %s is %s and ", t.ID, r.RunID, t.Status)
	if t.Status.IsTerminal() {
		return usage(what+"never had a prompt", "see `tutti run show "+r.RunID+"`")
	}
	return pending(what+"has no prompt that could be read yet", "watch the run with `tutti run watch "+r.RunID+"`")
}
