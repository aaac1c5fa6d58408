package main_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"google.golang.org/grpc/codes"

	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/testenv"
)

// A host's result whose update or whose reply is lost counts once, and its sender
// is told so, or that it is pending, or with one line that nothing could be said.
func TestAHostsResultCountsOnceWhateverIsLost(t *testing.T) {
	t.Parallel()
	const update = "UpdateWorkflowExecution"
	type handIn struct {
		fault
		code      int
		pending   bool
		duplicate bool
	}
	sideBySide(t, []handIn{
		{fault: fault{update, testenv.Refuse, codes.Unavailable, 2}},
		{fault: fault{update, testenv.Lose, codes.Unavailable, 1}},
		{fault: fault{update, testenv.Lose, codes.Internal, 1}, duplicate: true}, // asked anew under another ID
		{fault: fault{update, testenv.Hold, codes.OK, 1 << 30}, code: 5, pending: true},
		{fault: fault{update, testenv.Withhold, codes.OK, 1 << 30}, code: 5, pending: true},
	}, func(t *testing.T, c handIn) {
		s := newStage(t)
		s.worker()
		id := s.host("x", "--chain", "architect -> reviewer")
		judged, proxy := s.judgedBy(c.judge)
		r, code := judged.submit(id, "architect", "the design")
		require.Equal(t, c.code, code, "%+v", r)
		require.Equal(t, c.pending, r.Pending)
		require.Equal(t, c.duplicate, r.Duplicate)
		require.Contains(t, proxy.Calls(), update)
		s.awaits(id, 1)
		require.Contains(t, s.next(id).User, "the design")
		require.True(t, s.accepted(id, "architect", "the design").Duplicate)

		require.Equal(t, run.Completed, s.accepted(id, "reviewer", "fine").RunStatus)
		record := s.show(id)
		require.Equal(t, "the design", record.Tasks[0].Output)
		require.Empty(t, record.RejectedSignals)
		s.settled(1)
		testenv.Seen(t, "exit %d, pending %t: the result counts once", code, r.Pending)
	})
}

// Neither door opens: the result is not taken, one line says so, and handing it in
// again once Temporal is back is all that is needed.
func TestAHostsResultThatReachesNobodyIsSaidSo(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.worker()
	s.write("result.txt", "the design")
	id := s.host("x", "--chain", "architect -> reviewer")
	judged, _ := s.judgedBy(func(c testenv.Call) testenv.Verdict {
		if c.Method == "UpdateWorkflowExecution" || c.Method == "SignalWorkflowExecution" {
			return testenv.Verdict{Deed: testenv.Refuse, Code: codes.Unavailable}
		}
		return testenv.Verdict{}
	})
	require.Contains(t, judged.refused(5, "host", "submit", id, "architect", "-f", "result.txt"), "temporal cannot be reached")
	require.Equal(t, run.TaskAwaitingHost, s.show(id).Tasks[0].Status)
	require.False(t, s.accepted(id, "architect", "the design").Duplicate)
	testenv.Seen(t, "exit 5, the task waits on; handed in again it counts")
}
