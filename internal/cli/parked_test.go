package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/store"
)

// parked is a run of which two tasks wait, the second one less long.
func parked() run.Record {
	return run.Record{
		RunID: "run-1", TenantID: "default", Status: run.Running, CreatedAt: later(0), UpdatedAt: later(0),
		Tasks: []run.Task{
			{ID: "one", Status: run.TaskParked, ParkedFor: run.CodeRateLimited, ResumeAt: later(2 * time.Hour)},
			{ID: "two", Status: run.TaskParked, ParkedFor: run.CodeContent, ResumeAt: later(time.Hour)},
			{ID: "three", Status: run.TaskDone, ResumeAt: later(time.Minute)},
			{ID: "four", Status: run.TaskParked},
		},
	}
}

func TestAParkedRunSaysWhenItResumes(t *testing.T) {
	t.Parallel()
	c := reader(t)
	l := &listing{command: c}
	r := parked()
	require.NoError(t, l.printRuns([]run.Record{r}, nil))
	require.Contains(t, printed(c), "running (resumes at 2026-01-31 13:00:00)")

	encoded, err := json.Marshal(l.encoded(store.Page{Runs: []run.Record{r}}, nil))
	require.NoError(t, err)
	require.Contains(t, string(encoded), `"resumeAt":"2026-01-31T13:00:00Z"`)

	require.NoError(t, c.printTasks(&r))
	for _, want := range []string{
		"parked (resumes at 2026-01-31 14:00:00, PROVIDER_RATE_LIMITED)",
		"parked (resumes at 2026-01-31 13:00:00, CONTENT_UNAVAILABLE)",
		"parked (resumes by itself)",
	} {
		require.Contains(t, printed(c), want)
	}
	c.adviseNext(t.Context(), nil, &shown{Record: r})
	require.Contains(t, complaints(c), "the run goes on by itself")

	require.Equal(t, "resumes at 2026-01-31 13:00:00", eventDetail(run.TimerSet{ResumeAt: *later(time.Hour)}, time.UTC))
	require.Equal(t, "0 workers poll its queue", eventDetail(run.QueueInspected{}, time.UTC))
	require.Nil(t, resumeAt(&run.Record{Tasks: r.Tasks[2:]}))
}

func printed(c *command) string    { return fmt.Sprint(c.process.Stdout.(*bytes.Buffer)) }
func complaints(c *command) string { return fmt.Sprint(c.process.Stderr.(*bytes.Buffer)) }
