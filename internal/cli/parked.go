package cli

import (
	"time"

	"github.com/tutti-dev/tutti/internal/run"
)

// resumeAt is when the first parked task of a run goes on; nil when none waits,
// or when nobody knows yet until when.
func resumeAt(r *run.Record) *time.Time {
	var first *time.Time
	for i := range r.Tasks {
		t := &r.Tasks[i]
		if t.Status == run.TaskParked && t.ResumeAt != nil && (first == nil || t.ResumeAt.Before(*first)) {
			first = t.ResumeAt
		}
	}
	return first
}

// parkedWords says until when a task waits, and for what.
func parkedWords(t *run.Task, zone *time.Location) string {
	words := "resumes at " + moment(t.ResumeAt, zone)
	if t.ResumeAt == nil {
		words = "resumes by itself"
	}
	if t.ParkedFor != "" {
		words += ", " + string(t.ParkedFor)
	}
	return words
}
