package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tutti-dev/tutti/internal/run"
)

// output is a run's final message, or one task's output.
type output struct {
	RunID     string `json:"runId"`
	TaskID    string `json:"taskId,omitempty"`
	Status    string `json:"status"`
	Output    string `json:"output"`
	SHA256    string `json:"outputSha256,omitempty"`
	Truncated bool   `json:"truncated"`
}

func (c *command) runOutput() *cobra.Command {
	var f format
	cmd := &cobra.Command{
		Use:   "output RUN [TASK]",
		Short: "Print a run's final message, or a task's output",
		Long: `Print a run's final message, or the output of one of its tasks. Nothing else goes
to standard output.`,
		Args: argumentCount(2, "the run's ID"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.output(cmd.Context(), args[0], second(args), f)
		},
	}
	f.addJSON(cmd)
	cmd.ValidArgsFunction = c.completeRunAndTask
	return cmd
}

// second is the second argument, or empty.
func second(args []string) string {
	if len(args) < 2 {
		return ""
	}
	return args[1]
}

func (c *command) output(ctx context.Context, word, taskID string, f format) error {
	_, folded, err := c.load(ctx, word)
	if err != nil {
		return err
	}
	r := &folded.Record
	var out output
	if taskID == "" {
		out, err = c.finalMessage(ctx, r)
	} else {
		out, err = c.taskOutput(ctx, r, taskID)
	}
	if err != nil {
		return err
	}
	if f.json {
		return c.printJSON(out)
	}
	return c.printText(out.Output)
}

// printText prints a text as it is, and ends its last line.
func (c *command) printText(text string) error {
	if !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	if _, err := fmt.Fprint(c.process.Stdout, text); err != nil {
		return fmt.Errorf("print a text: %w", err)
	}
	return nil
}

func (c *command) finalMessage(ctx context.Context, r *run.Record) (output, error) {
	if !r.Status.IsTerminal() {
		return output{}, pending(fmt.Sprintf("run %s is %s and has no final message yet", r.RunID, r.Status),
			"watch it with `tutti run watch "+r.RunID+"`")
	}
	texts := c.textsOf(r)
	for _, t := range r.LastTasks() {
		text, err := texts.fetch(ctx, "the output of "+t.ID, t.OutputText())
		if err != nil {
			return output{}, err
		}
		t.Output = text
	}
	message := r.ComposeFinalMessage()
	if message == "" {
		return output{}, usage(fmt.Sprintf("run %s is %s and has no final message: %s", r.RunID, r.Status, r.Outcome()), whatThereIs(r))
	}
	out := output{RunID: r.RunID, Status: string(r.Status), Output: message}
	for _, t := range r.LastTasks() {
		out.Truncated = out.Truncated || t.Truncated
	}
	return out, nil
}

// whatThereIs names the tasks whose output can be read instead.
func whatThereIs(r *run.Record) string {
	var done []string
	for i := range r.Tasks {
		if r.Tasks[i].Status == run.TaskDone {
			done = append(done, "`tutti run output "+r.RunID+" "+r.Tasks[i].ID+"`")
		}
	}
	if len(done) == 0 {
		return "see `tutti run show " + r.RunID + "`"
	}
	return "see " + strings.Join(done, ", ")
}

func (c *command) taskOutput(ctx context.Context, r *run.Record, taskID string) (output, error) {
	t, err := taskNamed(r, taskID)
	if err != nil {
		return output{}, err
	}
	if t.Status != run.TaskDone {
		return output{}, noOutput(r, t)
	}
	text, err := c.textsOf(r).fetch(ctx, "the output of "+t.ID, t.OutputText())
	return output{
		RunID: r.RunID, TaskID: t.ID, Status: string(t.Status),
		Output: text, SHA256: t.OutputSHA256, Truncated: t.Truncated,
	}, err
}

// noOutput says why a task has no output.
func noOutput(r *run.Record, t *run.Task) error {
	what := fmt.Sprintf("task %s of run %s ", t.ID, r.RunID)
	switch {
	case t.Error != nil:
		return usage(what+"failed: "+failureWords(t.Error), "")
	case t.Status == run.TaskPrepared:
		return usage(what+"was only prepared, nothing was executed", "see `tutti run prompt "+r.RunID+" "+t.ID+"`")
	case t.Status == run.TaskSkipped:
		return usage(what+"was skipped ("+string(t.SkipReason)+")", whatThereIs(r))
	case t.Status.IsTerminal():
		return usage(what+"is "+string(t.Status)+" and has no output", whatThereIs(r))
	}
	return pending(what+"is "+string(t.Status)+" and has no output yet", "watch it with `tutti run watch "+r.RunID+"`")
}
