package cli

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/run"
)

func noon() time.Time { return time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC) }

func later(d time.Duration) *time.Time {
	at := noon().Add(d)
	return &at
}

func TestTimesAreShownInTheirLargestUnit(t *testing.T) {
	t.Parallel()
	for age, want := range map[time.Duration]string{
		0: "0s", 59 * time.Second: "59s", time.Minute: "1m", 59 * time.Minute: "59m", time.Hour: "1h",
		47 * time.Hour: "47h", 48 * time.Hour: "2d", 400 * 24 * time.Hour: "400d", -time.Hour: "0s",
	} {
		require.Equal(t, want, ageOf(later(-age), noon()), "%s", age)
	}
	require.Equal(t, unknown, ageOf(nil, noon()))

	for took, want := range map[time.Duration]string{
		0: "0ms", 999 * time.Millisecond: "999ms", 1234 * time.Millisecond: "1.2s",
		time.Minute: "1m0s", 3*time.Hour + 5*time.Second: "3h0m5s", -time.Second: "0ms",
	} {
		require.Equal(t, want, lengthOf(later(0), later(took)), "%s", took)
	}
	require.Equal(t, unknown, lengthOf(nil, later(0)))
	require.Equal(t, unknown, lengthOf(later(0), nil))
	require.Equal(t, "2026-01-31 14:00:00", moment(later(0), time.FixedZone("east", 2*60*60)))
	require.Equal(t, unknown, moment(nil, time.UTC))
}

func TestUsageTellsUnknownFromZero(t *testing.T) {
	t.Parallel()
	zero, some, cost := int64(0), int64(12), "0.5"
	require.Equal(t, unknown, tokensOf(run.Usage{}))
	require.Equal(t, "unknown", usageOf(run.Usage{}))
	require.Equal(t, "0 in", tokensOf(run.Usage{InputTokens: &zero}))
	require.Equal(t, "12 in, 0 out tokens, $0.5, 1 calls without a price, 2 calls of which nobody knows whether they were answered",
		usageOf(run.Usage{InputTokens: &some, OutputTokens: &zero, CostUSD: &cost, UnpricedCalls: 1, CallsUncertain: 2}))
}

func TestSinceIsADurationOrADate(t *testing.T) {
	t.Parallel()
	berlin := time.FixedZone("berlin", 60*60)
	now := noon().In(berlin)
	for word, want := range map[string]time.Time{
		"": {}, "24h": now.Add(-24 * time.Hour), "7d": now.Add(-7 * 24 * time.Hour), "90s": now.Add(-90 * time.Second),
		"2026-01-30":           time.Date(2026, 1, 30, 0, 0, 0, 0, berlin),
		"2026-01-30T10:00:00Z": time.Date(2026, 1, 30, 10, 0, 0, 0, time.UTC),
	} {
		got, err := parseSince(word, now)
		require.NoError(t, err, word)
		require.True(t, want.Equal(got), "%s: %s", word, got)
	}
	for _, word := range []string{"yesterday", "-3h", "-1d", "d", "1000000d", "2026-13-01", "24"} {
		_, err := parseSince(word, now)
		require.Equal(t, ExitUsage, explain(err).code, word)
	}
}

func TestARunIsStaleWhenItsHostShowsNoProgress(t *testing.T) {
	t.Parallel()
	waiting := run.Record{
		Status: run.AwaitingHost, UpdatedAt: later(-30 * time.Minute),
		Tasks: []run.Task{{Status: run.TaskAwaitingHost}},
	}
	require.True(t, isStale(&waiting, 30*time.Minute, noon()))
	require.False(t, isStale(&waiting, 31*time.Minute, noon()))
	busy := waiting
	busy.Tasks = []run.Task{{Status: run.TaskRunning}}
	require.False(t, isStale(&busy, time.Minute, noon()))
	ended := waiting
	ended.Status = run.Cancelled
	require.False(t, isStale(&ended, time.Minute, noon()))
	timeless := waiting
	timeless.UpdatedAt = nil
	require.False(t, isStale(&timeless, time.Minute, noon()))
}
