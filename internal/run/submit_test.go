package run

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/content"
)

// awaiting is a run whose one task waits for a host.
func awaiting(t *testing.T) *Record {
	t.Helper()
	plan := Plan{Tasks: []PlannedTask{{ID: "a", Backend: BackendHost}}}
	r := &Record{}
	_, _, err := r.Turn([]Stamped{{Event: Started{RunID: "run-1", Plan: &plan}}}, noTime, noTime)
	require.NoError(t, err)
	schedule(t, r, "a")
	_, _, err = r.Turn([]Stamped{{Event: TaskPromptReady{OfTask: OfTask{"a"}}}}, noTime, noTime)
	require.NoError(t, err)
	require.Equal(t, AwaitingHost, r.Status)
	return r
}

// What a host says beside its result is kept as far as a record carries it, and
// never refuses the result.
func TestAHostsReasoningIsKeptCutAndClean(t *testing.T) {
	t.Parallel()
	for given, kept := range map[string]string{
		"":        "",
		"because": "because",
		"a\x00b":  "a\uFFFDb",
		strings.Repeat("é", content.InlineLimit): strings.Repeat("é", content.InlineLimit/2-2) + "…",
	} {
		r := awaiting(t)
		_, _, err := r.Turn([]Stamped{{Event: HostSubmitted{Submission: Submission{
			TaskID: "a", Outcome: OutcomeDone, Output: content.Of("fine"), Reasoning: given,
		}}}}, noTime, noTime)
		require.NoError(t, err)
		require.Equal(t, Completed, r.Status)
		require.Equal(t, kept, r.Tasks[0].Reasoning)
		require.Equal(t, len(kept), r.Tasks[0].ReasoningSize)
		require.LessOrEqual(t, len(r.Tasks[0].Reasoning), content.InlineLimit)
		bounded := r.Bounded()
		require.LessOrEqual(t, len(bounded.Tasks[0].Reasoning), queryTextLimit)
		require.Equal(t, len(kept), bounded.Tasks[0].ReasoningSize, "what is too long for an answer is named by size and digest")
	}
}
