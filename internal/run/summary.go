package run

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// SummaryLimit is the length of a request's summary in characters.
const SummaryLimit = 200

// Summarize is the first SummaryLimit characters of a text on one line.
func Summarize(text string) string {
	// A summary never needs more of a long text than this many bytes.
	const enough = SummaryLimit * utf8.UTFMax * 4
	if len(text) > enough {
		text = strings.ToValidUTF8(text[:enough], "")
	}
	line := strings.Join(strings.Fields(text), " ")
	runes := []rune(line)
	if len(runes) <= SummaryLimit {
		return line
	}
	return string(runes[:SummaryLimit-1]) + "…"
}

// LastTasks are the tasks that no other task needs: their outputs are what the
// user asked for.
func (r *Record) LastTasks() []*Task {
	var last []*Task
	for i := range r.Tasks {
		id := r.Tasks[i].ID
		needed := slices.ContainsFunc(r.Tasks, func(t Task) bool { return slices.Contains(t.Needs, id) })
		if !needed {
			last = append(last, &r.Tasks[i])
		}
	}
	return last
}

// ComposeFinalMessage is the last task's output or, of several last tasks, each
// output under a heading. It is derived when read: the outputs have to be at hand.
func (r *Record) ComposeFinalMessage() string {
	if r.Status == CompletedPrepareOnly {
		return fmt.Sprintf("Nothing was executed: %d %s prepared.", len(r.Tasks), plural(len(r.Tasks), "prompt was", "prompts were"))
	}
	last := r.LastTasks()
	if len(last) == 1 {
		return last[0].Output
	}
	var parts []string
	for _, t := range last {
		if t.Status == TaskDone {
			parts = append(parts, "## "+t.ID+"\n\n"+t.Output)
		}
	}
	return strings.Join(parts, "\n\n")
}

// Outcome says in one line how a run ended, for Temporal's failure message:
// `2 of 3 tasks done; reviewer: PROVIDER_AUTH_ERROR`.
func (r *Record) Outcome() string {
	counts := r.Counts()
	parts := []string{fmt.Sprintf("%d of %d tasks done", counts[TaskDone]+counts[TaskPrepared], len(r.Tasks))}
	if r.Error != nil {
		parts = []string{fmt.Sprintf("%s: %s", r.Error.Code, r.Error.Message)}
	}
	const most = 5
	for i := range r.Tasks {
		if t := &r.Tasks[i]; t.Error != nil && len(parts) <= most {
			parts = append(parts, t.ID+": "+string(t.Error.Code))
		}
	}
	if n := counts[TaskSkipped]; n > 0 {
		parts = append(parts, fmt.Sprintf("%d skipped", n))
	}
	return strings.Join(parts, "; ")
}

func plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// Clip cuts a text to at most limit bytes at a rune boundary and marks the cut.
func Clip(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	const mark = "…"
	cut := max(limit-len(mark), 0)
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + mark
}
