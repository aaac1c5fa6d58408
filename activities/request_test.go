package activities_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/converter"

	"github.com/tutti-dev/tutti/internal/content"
	"github.com/tutti-dev/tutti/internal/history"
	"github.com/tutti-dev/tutti/internal/provider"
	"github.com/tutti-dev/tutti/internal/run"
)

func TestTheModelIsAskedAsTheTaskSays(t *testing.T) {
	t.Parallel()
	zero := 0.0
	for name, c := range map[string]struct {
		ceiling, max int
		effort       string
		sent         int
	}{
		"nothing said":                  {0, 0, "", 0},
		"the model's ceiling":           {9000, 0, "", 9000},
		"the specialist's":              {9000, 500, "", 500},
		"with room for reasoning apart": {8192 + provider.ReasoningHeadroom, 0, "high", 8192},
		"too little room for reasoning": {1000, 0, "high", 1000},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t)
			s.model.outcomes = []provider.Outcome{answer("ok")}
			in := task()
			in.Ceiling, in.MaxTokens, in.Effort = c.ceiling, c.max, c.effort
			in.Temperature, in.Extras, in.Reasoning = &zero, map[string]any{"seed": 7.0}, "surface"
			_, err := s.execute(in)
			require.NoError(t, err)
			asked := s.model.asked[0]
			require.Equal(t, c.sent, asked.MaxTokens)
			require.Equal(t, c.effort, asked.Effort)
			require.Equal(t, "surface", asked.Reasoning)
			require.Equal(t, map[string]any{"seed": 7.0}, asked.Extras)
			require.Equal(t, &zero, asked.Temperature)
		})
	}
}

// TestReasoningIsKeptOnlyWhenItIsToSurface: hidden reasoning stands in no result,
// no answer row and no log, also when a dialect hands it out by mistake.
func TestReasoningIsKeptOnlyWhenItIsToSurface(t *testing.T) {
	t.Parallel()
	const thought = "first I weigh it\x00"
	for _, reasoning := range []string{"", "hidden", "surface"} {
		t.Run("reasoning "+reasoning, func(t *testing.T) {
			t.Parallel()
			s := newStage(t)
			outcome := answer("ok")
			outcome.Reasoning, outcome.ReasoningReturned = thought, true
			s.model.outcomes = []provider.Outcome{outcome}
			in := task()
			in.Reasoning = reasoning
			result, err := s.execute(in)
			require.NoError(t, err)
			require.True(t, result.Meta.ReasoningReturned)
			stored, err := s.store.LoadAnswer(t.Context(), key(), result.Prompt.SHA256)
			require.NoError(t, err)
			encoded, err := json.Marshal(result)
			require.NoError(t, err)
			everything := string(stored.Body) + string(encoded) + s.logs.String()
			if reasoning == "surface" {
				require.Equal(t, "first I weigh it\uFFFD", result.Reasoning.Inline)
				require.True(t, result.Meta.ReasoningRequested)
				return
			}
			require.True(t, result.Reasoning.IsZero())
			require.NotContains(t, everything, "weigh")
		})
	}
}

func TestLongReasoningTravelsByReference(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	outcome := answer("ok")
	outcome.Reasoning = strings.Repeat("hm ", 100_000)
	s.model.outcomes = []provider.Outcome{outcome}
	in := task()
	in.Reasoning = "surface"
	result, err := s.execute(in)
	require.NoError(t, err)
	require.True(t, result.Reasoning.IsRef())
	text, err := content.Fetch(t.Context(), s.store, "acme", result.Reasoning)
	require.NoError(t, err)
	require.Equal(t, outcome.Reasoning, text)
}

func TestAFallbackNamesTheModels(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.model.outcomes = []provider.Outcome{answer("ok")}
	in := task()
	in.FallenBack = []string{"fake/large", "fake/middle"}
	result, err := s.execute(in)
	require.NoError(t, err)
	require.Equal(t, []run.Degradation{{
		Reason: run.DegradedSameFamilyFallback, Detail: "fake/large → fake/middle → fake/m",
	}}, result.Degradations)
}

func TestInspectQueueCountsItsPollers(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	value, err := s.env.ExecuteActivity(history.ActivityQueue, history.QueueInput{Queue: "tutti-provider-slow"})
	require.NoError(t, err)
	var result history.QueueResult
	require.NoError(t, value.Get(&result))
	require.Equal(t, 3, result.Pollers)
	_, err = s.env.ExecuteActivity(history.ActivityQueue, history.QueueInput{Queue: "unknown"})
	require.Error(t, err)
}

// TestAResultIsSmall: what a call leaves in the history is bounded where it is made.
func TestAResultIsSmall(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.model.outcomes = []provider.Outcome{answer(strings.Repeat("é", 2<<20))}
	in := task()
	in.Request = content.Of(strings.Repeat("x", 1<<20))
	result, err := s.execute(in)
	require.NoError(t, err)
	payload, err := converter.GetDefaultDataConverter().ToPayload(result)
	require.NoError(t, err)
	require.Less(t, payload.Size(), 2<<10)
}
