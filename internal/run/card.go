package run

import (
	"fmt"
	"strings"
)

// Card is the run in Markdown, for the Temporal Web UI.
func (r *Record) Card() string {
	var b strings.Builder
	fmt.Fprintf(&b, "### %s · %s\n\n", r.RunID, r.Status)
	if r.Request.Summary != "" {
		fmt.Fprintf(&b, "> %s\n\n", cell(r.Request.Summary))
	}
	if r.AwaitsPlan {
		return b.String() + "The plan is being resolved.\n"
	}
	fmt.Fprintf(&b, "Chain **%s**. %s\n\n", cell(r.Chain.Name), r.Semantics)
	b.WriteString("| # | task | specialist | status | by |\n|--:|---|---|---|---|\n")
	for i := range r.Tasks {
		t := &r.Tasks[i]
		fmt.Fprintf(&b, "| %d | %s | %s | %s | %s |\n",
			t.Seq, cell(t.ID), cell(t.Specialist.Name), t.statusWords(), cell(t.by()))
	}
	for i := range r.Tasks {
		if t := &r.Tasks[i]; t.Status == TaskAwaitingHost {
			r.writeHostCommands(&b, t)
		}
	}
	if r.Error != nil {
		fmt.Fprintf(&b, "\n**%s**: %s\n", r.Error.Code, cell(r.Error.Message))
	}
	return b.String()
}

func (t *Task) statusWords() string {
	switch {
	case t.Error != nil:
		return fmt.Sprintf("%s (%s)", t.Status, t.Error.Code)
	case t.SkipReason != "":
		return fmt.Sprintf("%s (%s)", t.Status, t.SkipReason)
	case t.Truncated:
		return string(t.Status) + " (truncated)"
	}
	return string(t.Status)
}

func (t *Task) by() string {
	if t.Executor != "" {
		return t.Executor
	}
	return string(t.Backend)
}

// cell keeps a text from breaking out of its table cell or quote.
func cell(s string) string {
	if !strings.ContainsAny(s, "\n\r|<") {
		return s // Nearly always; the card is made with each turn.
	}
	return strings.NewReplacer("\n", " ", "\r", " ", "|", "\\|", "<", "&lt;").Replace(s)
}
