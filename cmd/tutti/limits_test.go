package main_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/testenv"
)

// A rate holds across workers: it is Temporal's, on the provider's own queue.
func TestARateHoldsAcrossWorkers(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.write("tutti.yaml", "providers:\n  fake:\n    dialect: openai\n    baseURL: "+s.fake.BaseURL()+"\n    callsPerSecond: 2\n")
	s.write(".tutti/chains/six.yaml", `name: six
description: six tasks side by side
tasks:
  - {id: a, specialist: engineer}
  - {id: b, specialist: engineer}
  - {id: c, specialist: engineer}
  - {id: d, specialist: engineer}
  - {id: e, specialist: engineer}
  - {id: f, specialist: engineer}
`)
	s.worker()
	s.worker()
	s.must("submit", "x", "--chain", "six", "--backend", "provider", "--model", "fake/echo")
	stats, err := s.fake.Stats(t.Context())
	require.NoError(t, err)
	times := stats.Models["echo"].CallTimesMS
	require.Len(t, times, 6)
	// Temporal hands out a burst of one second's calls at once, then two a second.
	require.GreaterOrEqual(t, times[5]-times[0], int64(1500), "%v", times)
	var queue string
	for _, e := range s.history(s.show("@last").RunID) {
		if a := e.GetActivityTaskScheduledEventAttributes(); a != nil {
			queue = a.GetTaskQueue().GetName()
		}
	}
	require.Equal(t, "tutti-provider-fake", queue)
}

// T6 for a parked task: a limit of a day parks the task where that is allowed, and everybody can see
// until when; elsewhere it fails at once.
func TestALongLimitIsShownAndMayBeWaitedFor(t *testing.T) {
	t.Parallel()
	const limited = "fake/case-azure-429-retry-after-24h"
	s := newStage(t)
	s.worker()
	p, code := s.tutti("submit", "x", "--chain", "engineer", "--backend", "provider", "--model", limited)
	require.Equal(t, 1, code, p.Output())
	task := s.show("@last").Tasks[0]
	require.Equal(t, run.CodeRateLimited, task.Error.Code)
	require.Equal(t, int64(86_400_000), *task.Error.RetryAfterMS)
	require.Equal(t, 1, s.calls("case-azure-429-retry-after-24h"), "it is not asked again within the day")

	s.write("parking.yaml", "limits: {park: 48h}\nproviders:\n  fake:\n    dialect: openai\n    baseURL: "+s.fake.BaseURL()+"\n")
	id := s.detach("x", "--chain", "engineer", "--backend", "provider", "--model", limited, "--config", "parking.yaml")
	var record run.Record
	testenv.Eventually(t, patience, "the task is parked", func() error {
		record = s.show(id)
		if record.Tasks[0].Status != run.TaskParked {
			return errNotYet(record.Tasks[0].Status)
		}
		return nil
	})
	require.NotNil(t, record.Tasks[0].ResumeAt)
	require.WithinDuration(t, time.Now().Add(24*time.Hour), *record.Tasks[0].ResumeAt, time.Hour)
	require.Equal(t, run.CodeRateLimited, record.Tasks[0].ParkedFor)
	require.Contains(t, s.must("run", "show", id), "resumes at")
	testenv.Eventually(t, patience, "the list says so", func() error {
		var page struct {
			Runs []struct {
				RunID    string     `json:"runId"`
				ResumeAt *time.Time `json:"resumeAt"`
			} `json:"runs"`
		}
		if err := json.Unmarshal([]byte(s.must("run", "list", "--json")), &page); err != nil {
			return err
		}
		for _, r := range page.Runs {
			if r.RunID == id && r.ResumeAt != nil {
				return nil
			}
		}
		return errNotYet("listed without resumeAt")
	})
	s.must("run", "cancel", id)
	record = s.finish(id)
	require.Equal(t, run.Cancelled, record.Status)
	testenv.Seen(t, "cancelled while parked for a day: the task is %s, the run %s", record.Tasks[0].Status, record.Status)
}

type errNotYet string

func (e errNotYet) Error() string { return string(e) }

// A fallback model answers after a transient failure, and the run says so.
func TestAFallbackMakesTheRunDegraded(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.write("tutti.yaml", "providers:\n  fake:\n    dialect: openai\n    baseURL: "+s.fake.BaseURL()+"\n    retry: {maxAttempts: 2, initialBackoff: 1ms, maxBackoff: 1ms}\n")
	s.write(".tutti/specialists/careful.md", "---\nname: careful\ndescription: d\nmodel: fake/case-openai-500-server-error\nfallbackModels: [fake/echo]\n---\nBe careful.\n")
	s.worker()
	p, code := s.tutti("submit", "x", "--chain", "careful", "--backend", "provider")
	require.Equal(t, 1, code, p.Output())
	record := s.show("@last")
	require.Equal(t, run.Degraded, record.Status)
	require.Equal(t, []string{run.DegradedSameFamilyFallback}, record.DegradationReasons)
	require.Equal(t, run.StateDegradedExecuted, record.Tasks[0].ExecutionState)
	require.Contains(t, record.Tasks[0].Degradations[0].Detail, "fake/case-openai-500-server-error")
	require.Contains(t, record.Tasks[0].Degradations[0].Detail, "fake/echo")
	require.Equal(t, 2, s.calls("case-openai-500-server-error"))

	s.write(".tutti/specialists/refused.md", "---\nname: refused\ndescription: d\nmodel: fake/case-openai-401-masked-key\nfallbackModels: [fake/echo]\n---\nBe refused.\n")
	_, code = s.tutti("submit", "x", "--chain", "refused", "--backend", "provider")
	require.Equal(t, 1, code)
	require.Equal(t, run.CodeAuth, s.show("@last").Tasks[0].Error.Code, "never after a refusal")
}
