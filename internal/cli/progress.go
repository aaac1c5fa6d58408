package cli

import (
	"fmt"
	"io"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/tutti-dev/tutti/internal/history"
	"github.com/tutti-dev/tutti/internal/run"
)

// progress prints a run as it goes, one line for each change of a status:
//
//	12:03:04  reviewer   running        provider demo/echo
//
// The times are those of the history, so that somebody who looks later sees
// when things happened.
type progress struct {
	out   io.Writer
	zone  *time.Location
	run   run.Status
	tasks map[string]run.TaskStatus
}

// newProgress returns a progress that has printed nothing yet. It goes to
// standard error.
func newProgress(c *command) *progress {
	return &progress{out: c.process.Stderr, zone: c.zone(), tasks: make(map[string]run.TaskStatus)}
}

// runLine is what the lines about the run itself are called.
const runLine = "run"

// see prints what has changed since the last call.
func (p *progress) see(f history.Folded) {
	r := &f.Record
	if r.RunID == "" {
		return
	}
	if !r.Status.IsTerminal() {
		p.showRun(r)
	}
	for i := range r.Tasks {
		t := &r.Tasks[i]
		before, seen := p.tasks[t.ID]
		p.tasks[t.ID] = t.Status
		if before == t.Status || (!seen && t.Status == run.TaskQueued) {
			continue
		}
		p.line(r, t.ID, string(t.Status), taskNews(t, p.zone))
	}
	if r.Status.IsTerminal() {
		p.showRun(r)
	}
}

func (p *progress) showRun(r *run.Record) {
	if p.run == r.Status {
		return
	}
	p.run = r.Status
	p.line(r, runLine, string(r.Status), runNews(r))
}

func (p *progress) line(r *run.Record, who, status, news string) {
	at := "--:--:--"
	if r.UpdatedAt != nil {
		at = r.UpdatedAt.In(p.zone).Format(time.TimeOnly)
	}
	width := utf8.RuneCountInString(runLine)
	for i := range r.Tasks {
		width = max(width, utf8.RuneCountInString(r.Tasks[i].ID))
	}
	line := fmt.Sprintf("%s  %-*s  %-13s  %s", at, width, cell(who), status, cell(news))
	fmt.Fprintln(p.out, strings.TrimRight(line, " "))
}

func runNews(r *run.Record) string {
	switch {
	case r.Status == run.Planned:
		return r.Chain.Name
	case r.Status == run.AwaitingHost:
		return "a host has to execute what is prepared"
	case r.Status.IsTerminal():
		return r.Outcome()
	}
	return ""
}

// taskNews says what a reader wants to know of a task in its status.
func taskNews(t *run.Task, zone *time.Location) string {
	switch t.Status {
	case run.TaskRunning, run.TaskQueued:
		return backendOf(t)
	case run.TaskDone:
		news := t.Executor + ", " + lengthOf(t.StartedAt, t.FinishedAt)
		if tokens := tokensOf(t.Usage); tokens != unknown {
			news += ", " + tokens
		}
		if t.Truncated {
			news += ", truncated"
		}
		return news
	case run.TaskPrepared:
		return "the prompt is ready; nothing was executed"
	case run.TaskFailed:
		if t.Error != nil {
			return fmt.Sprintf("%s: %s", t.Error.Code, t.Error.Message)
		}
	case run.TaskSkipped:
		return string(t.SkipReason)
	case run.TaskParked:
		return parkedWords(t, zone)
	case run.TaskAwaitingHost:
		return "waits for a host's result"
	case run.TaskCancelled:
	}
	return ""
}

// backendOf says who executes a task: `provider demo/echo`.
func backendOf(t *run.Task) string {
	if t.Backend != run.BackendProvider || t.Model == "" {
		return string(t.Backend)
	}
	return fmt.Sprintf("%s %s/%s", t.Backend, t.Provider, t.Model)
}
