package cli

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/run"
)

func TestAWordNamesOneRunOrIsRefused(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		word  string
		found []string
		want  string
	}{
		{"by-hand", nil, "by-hand"},
		{"run-1", []string{"run-12"}, "run-12"},
		{"run-1", []string{"run-1", "run-12"}, "run-1"},
	} {
		got, err := one(c.word, c.found)
		require.NoError(t, err)
		require.Equal(t, c.want, got)
	}
	_, err := one("run-1", []string{"run-11", "run-12"})
	require.EqualError(t, err, `"run-1" begins more than one run: run-11, run-12; give more of its ID`)
	_, err = one("run-1", []string{"run-11", "run-12", "run-13", "run-14", "run-15", "run-16"})
	require.Equal(t, ExitUsage, explain(err).code)
	require.ErrorContains(t, err, "run-15, …; give more")
}

func TestATaskMayBeLeftOutWhenThereIsOne(t *testing.T) {
	t.Parallel()
	r := run.Record{RunID: "run-1", Tasks: []run.Task{{ID: "one"}}}
	task, err := taskNamed(&r, "")
	require.NoError(t, err)
	require.Equal(t, "one", task.ID)
	r.Tasks = append(r.Tasks, run.Task{ID: "two"})
	task, err = taskNamed(&r, "two")
	require.NoError(t, err)
	require.Equal(t, "two", task.ID)
	_, err = taskNamed(&r, "")
	require.EqualError(t, err, "run run-1 has 2 tasks; name one: its tasks are one, two")
	_, err = taskNamed(&r, "three")
	require.EqualError(t, err, `run run-1 has no task "three"; its tasks are one, two`)
	_, err = taskNamed(&run.Record{RunID: "run-2"}, "")
	require.Equal(t, ExitPlatform, explain(err).code)
}
