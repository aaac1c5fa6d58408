package cli

import (
	"fmt"
	"strings"

	"github.com/tutti-dev/tutti/internal/run"
)

// printRun prints a run for people: what it is, its tasks, what went wrong.
func (c *command) printRun(s *shown) error {
	fields := newTable(c.process.Stdout)
	for _, field := range c.fieldsOf(s) {
		if field[1] != "" {
			fields.row(field[0], field[1])
		}
	}
	if err := fields.flush(); err != nil {
		return err
	}
	if len(s.Tasks) > 0 {
		fmt.Fprintln(c.process.Stdout)
		if err := c.printTasks(&s.Record); err != nil {
			return err
		}
	}
	for _, note := range notesOf(&s.Record) {
		fmt.Fprintln(c.process.Stdout, "\n"+cell(note))
	}
	return nil
}

func (c *command) fieldsOf(s *shown) [][2]string {
	chain := s.Chain.Name
	if s.Chain.Version != "" {
		chain += " (" + s.Chain.Version + ")"
	}
	return [][2]string{
		{"run", s.RunID},
		{"status", statusWords(s)},
		{"request", s.Request.Summary},
		{"attached", attachedWords(s.Request.Attachments)},
		{"chain", chain},
		{"because", s.Plan.Rationale},
		{"meaning", s.Semantics},
		{"model", modelWords(s.Execution)},
		{"usage", usageWords(&s.Record)},
		{"budget", budgetWords(s.Budget)},
		{"created", moment(s.CreatedAt, c.zone())},
		{"took", strings.TrimPrefix(lengthOf(s.CreatedAt, s.FinishedAt), unknown)},
		{"tenant", s.TenantID + ", for " + s.PrincipalID},
		{"web ui", c.app.WebUI(s.RunID, s.TemporalRunID)},
	}
}

func statusWords(s *shown) string {
	words := []string{string(s.Status)}
	if s.ExecutionState != "" && string(s.ExecutionState) != string(s.Status) {
		words = append(words, string(s.ExecutionState))
	}
	if len(s.DegradationReasons) > 0 {
		words = append(words, strings.Join(s.DegradationReasons, ", "))
	}
	if s.CancelRequested && !s.Status.IsTerminal() {
		words = append(words, "asked to end")
	}
	if s.Blocked {
		words = append(words, "blocked")
	}
	if s.Stale {
		words = append(words, "stale")
	}
	return strings.Join(words, " · ")
}

func attachedWords(files []run.Attachment) string {
	words := make([]string, 0, len(files))
	for _, f := range files {
		words = append(words, fmt.Sprintf("%s (%d bytes)", f.Name, f.Size))
	}
	return strings.Join(words, ", ")
}

func modelWords(e run.Execution) string {
	if e.SelectedModel == "" {
		return ""
	}
	return fmt.Sprintf("%s/%s (by %s)", e.SelectedProvider, e.SelectedModel, e.ResolutionSource)
}

// usageWords is silent about runs that ask nobody who could use anything.
func usageWords(r *run.Record) string {
	if r.WorkerBackend == string(run.BackendInline) || r.WorkerBackend == "" {
		return ""
	}
	return usageOf(r.Usage)
}

// budgetWords are the caps of a run; a cap of nothing is one.
func budgetWords(b run.Budget) string {
	var caps []string
	if b.MaxCostUSD != nil {
		caps = append(caps, "at most $"+*b.MaxCostUSD)
	}
	if b.MaxTokens != nil {
		caps = append(caps, fmt.Sprintf("at most %d tokens", *b.MaxTokens))
	}
	return strings.Join(caps, ", ")
}

func (c *command) printTasks(r *run.Record) error {
	tasks := newTable(c.process.Stdout, "#", "TASK", "SPECIALIST", "STATUS", "EXECUTOR", "TOKENS", "TIME")
	for i := range r.Tasks {
		t := &r.Tasks[i]
		executor := t.Executor
		if executor == "" {
			executor = "(" + backendOf(t) + ")"
		}
		status := string(t.Status)
		if t.SkipReason != "" {
			status += " (" + string(t.SkipReason) + ")"
		}
		if t.Status == run.TaskParked {
			status += " (" + parkedWords(t, c.zone()) + ")"
		}
		if words := claimWords(t, c.now(), c.zone()); words != "" {
			status += " (" + words + ")"
		}
		tasks.row(fmt.Sprint(t.Seq), t.ID, t.Specialist.Name, status, executor,
			tokensOf(t.Usage), lengthOf(t.StartedAt, t.FinishedAt))
	}
	return tasks.flush()
}

// notesOf is what went wrong, and every warning.
func notesOf(r *run.Record) []string {
	var notes []string
	if r.Error != nil {
		notes = append(notes, fmt.Sprintf("%s: %s", r.Error.Code, r.Error.Message))
	}
	for i := range r.Tasks {
		t := &r.Tasks[i]
		if t.Error != nil {
			notes = append(notes, t.ID+": "+failureWords(t.Error))
		}
		if t.PromptTruncated {
			notes = append(notes, "warning: "+t.ID+": the prompt was cut to its budget")
		}
		for _, d := range t.Degradations {
			notes = append(notes, strings.TrimSuffix("degraded: "+t.ID+": "+d.Reason+": "+d.Detail, ": "))
		}
		for _, w := range t.Warnings {
			notes = append(notes, "warning: "+t.ID+": "+w)
		}
	}
	for _, w := range r.Warnings {
		notes = append(notes, "warning: "+w)
	}
	return notes
}

// failureWords is a failure with its next step.
func failureWords(f *run.Failure) string {
	words := fmt.Sprintf("%s: %s", f.Code, f.Message)
	if f.Remediation != "" {
		words += "; " + f.Remediation
	}
	return words
}
