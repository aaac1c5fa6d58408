package run

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/content"
	"github.com/tutti-dev/tutti/internal/testenv"
)

// flaw is one thing that is wrong with a submission or with the run that it is for.
type flaw struct {
	code Code
	do   func(r *Record, s *Submission)
}

// flaws are all reasons for a rejection, in the documented order of the checks. Those of one check
// that exclude each other stand in one place.
var flaws = [][]flaw{
	{
		{CodeHostResultInvalid, func(_ *Record, s *Submission) { s.Outcome = "maybe" }},
		{CodeHostResultInvalid, func(_ *Record, s *Submission) { s.HostRole = "a\x00b" }},
		{CodeHostResultInvalid, func(_ *Record, s *Submission) { s.Error = "caf\xe9" }},
	},
	{{CodeTaskNotFound, func(_ *Record, s *Submission) { s.TaskID = "nobody" }}},
	{{CodeRunAlreadyEnded, func(r *Record, _ *Submission) { r.Status = Cancelled }}},
	{
		{CodeTaskNotAwaiting, func(r *Record, _ *Submission) { r.Tasks[0].Status = TaskRunning }},
		{CodeHostRecorded, func(r *Record, _ *Submission) { r.Tasks[0].Status = TaskDone }},
	},
	{{CodeHostEmpty, func(_ *Record, s *Submission) { s.Output = content.Of(" \n") }}},
	{
		{CodeHostTooLarge, func(_ *Record, s *Submission) { s.Error = strings.Repeat("x", MaxRawResult+1) }},
		{CodeHostTooLarge, func(r *Record, _ *Submission) { r.RawBytes = MaxRawBytes }},
	},
	{
		{CodeHostClaimLost, func(_ *Record, s *Submission) { s.ClaimToken = 1 }},
		{CodeHostClaimLost, func(_ *Record, s *Submission) { s.ClaimToken, s.SubmittedBy = 0, "bob/two" }},
	},
	{{CodeHostPrompt, func(_ *Record, s *Submission) { s.PromptSHA256 = "other" }}},
}

// awaited is a run whose one task awaits a host and is in the hands of alice, and her result.
func awaited() (*Record, *Submission) {
	now := time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
	expires := now.Add(time.Minute)
	r := &Record{RunID: "run-1", Status: AwaitingHost, now: now, Tasks: []Task{{
		ID: "a", Backend: BackendHost, Status: TaskAwaitingHost, PromptSHA256: "the prompt",
		Host: &Host{ClaimedBy: "alice/one", ClaimToken: 2, ClaimExpires: &expires},
	}}}
	return r, &Submission{TaskID: "a", Outcome: OutcomeDone, Output: content.Of("x"), ClaimToken: 2, PromptSHA256: "the prompt"}
}

// H4: whatever else is wrong, the first of the documented checks answers; a submission without a flaw
// counts.
func TestRejectionsComeInTheDocumentedOrder(t *testing.T) {
	t.Parallel()
	r, s := awaited()
	_, rejected := r.Judge(s)
	require.Nil(t, rejected)
	cases, codes := 0, []string{}
	for i, check := range flaws {
		for _, first := range check {
			if !slices.Contains(codes, string(first.code)) {
				codes = append(codes, string(first.code))
			}
			for _, later := range slices.Concat(append([][]flaw{{{}}}, flaws[i+1:]...)...) {
				r, s := awaited()
				if later.do != nil {
					later.do(r, s)
				}
				first.do(r, s)
				if first.code == CodeHostEmpty {
					s.Output = content.Of(" \n") // Another flaw of the output would be a contradiction.
				}
				accepted, rejected := r.Judge(s)
				require.Nil(t, accepted)
				require.NotNil(t, rejected, "%s before %s", first.code, later.code)
				require.Equal(t, first.code, rejected.Code, "before %s", later.code)
				require.NotEmpty(t, rejected.Remediation)
				cases++
			}
		}
	}
	testenv.Seen(t, "%d pairs of flaws, each answered by the earlier: %s", cases, strings.Join(codes, ", "))
}

// H4: the same result again is a duplicate, before any check that the run's later life would fail; a
// reference to the same text is the same result.
func TestTheSameResultIsADuplicateWhateverBecameOfTheRun(t *testing.T) {
	t.Parallel()
	cases := map[string]func(r *Record, s *Submission){
		"at once":        func(*Record, *Submission) {},
		"by reference":   func(_ *Record, s *Submission) { s.Output = s.Output.Ref() },
		"after the end":  func(r *Record, _ *Submission) { r.Status = Completed },
		"without claim":  func(_ *Record, s *Submission) { s.ClaimToken = 0 },
		"another prompt": func(_ *Record, s *Submission) { s.PromptSHA256 = "other" },
	}
	for name, later := range cases {
		r, s := awaited()
		require.NoError(t, r.submit(HostSubmitted{Submission: *s}))
		require.Equal(t, TaskDone, r.Tasks[0].Status)
		later(r, s)
		accepted, rejected := r.Judge(s)
		require.Nil(t, rejected, name)
		require.True(t, accepted.Duplicate, name)
	}
	testenv.Seen(t, "the same digest is a duplicate: %s", strings.Join(slices.Sorted(maps.Keys(cases)), ", "))
}
