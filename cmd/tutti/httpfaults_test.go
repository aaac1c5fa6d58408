package main_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/testenv"
)

// flaky gives the stage a provider at this URL, with short waits between attempts.
func (s *stage) flaky(baseURL, timeout string) {
	s.write("tutti.yaml", "providers:\n  fake:\n    dialect: openai\n    baseURL: "+baseURL+
		"\n    timeout: "+timeout+"\n    retry: {maxAttempts: 3, initialBackoff: 10ms, maxBackoff: 20ms}\n")
}

// Fault injection: a provider's answer breaks off, trickles or never begins, each
// time. Three attempts are made, the task fails with its code, and all is counted.
func TestAnAnswerThatBreaksOffIsAskedForThreeTimes(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.flaky(s.fake.BaseURL(), "2s")
	s.worker()
	type answer struct {
		model string
		code  run.Code
	}
	answers := []answer{
		{"case-reset-before-headers", run.CodeServerError},
		{"case-reset-mid-body", run.CodeServerError},
		{"case-own-close-before-headers", run.CodeServerError},
		{"case-own-chunked-cut", run.CodeServerError},
		{"case-slow-drip-past-deadline", run.CodeTimeout},
		{"case-own-hang-mid-body", run.CodeTimeout},
	}
	sideBySide(t, answers, func(t *testing.T, a answer) {
		mine := *s
		mine.t = t
		p, code := mine.tutti("submit", "x", "--chain", "architect -> reviewer", "--backend", "provider", "--model", "fake/"+a.model, "--json")
		require.Equal(t, 1, code, p.Output())
		record := mine.record(p.Stdout())
		require.Equal(t, run.CompletedWithFailures, record.Status)
		require.Equal(t, a.code, record.Tasks[0].Error.Code)
		require.Equal(t, 3, record.Tasks[0].Error.Attempts)
		require.Equal(t, run.TaskSkipped, record.Tasks[1].Status)
		require.Equal(t, 3, mine.calls(a.model))
	})
	testenv.Seen(t, "%d ways to break off: 3 attempts each, the task failed with its code", len(answers))
}

// The connection breaks while an answer is awaited, once: the next attempt gets it,
// and the record says that there were two.
func TestACallWhoseConnectionBreaksIsMadeAgain(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	proxy := testenv.StartProxy(t, strings.TrimPrefix(s.fake.URL(), "http://"))
	s.flaky("http://"+proxy.Address()+"/v1", "60s")
	s.worker()
	id := s.detach("x", "--chain", "architect", "--backend", "provider", "--model", "fake/hold-1")
	s.called("hold-1", 1)
	proxy.Cut()
	s.called("hold-1", 2)
	require.NoError(t, s.fake.Release(t.Context(), ""))
	record := s.finish(id)
	require.Equal(t, run.Completed, record.Status)
	require.Equal(t, 2, s.calls("hold-1"))
	require.Equal(t, 2, record.Tasks[0].ProviderMeta.Attempts)
	testenv.Seen(t, "%d attempts, the run is %s", record.Tasks[0].ProviderMeta.Attempts, record.Status)
}
