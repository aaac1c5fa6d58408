package doctor_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/doctor"
)

func TestTemporalOutOfReach(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		silent  error
		missing bool
		cause   doctor.Cause
		outcome doctor.Outcome
		next    string
	}{
		"no answer":    {errors.New("connection refused"), false, doctor.Platform, doctor.Unreachable, "tutti dev"},
		"bad settings": {fmt.Errorf("load: %w", &doctor.RefusedError{Err: errors.New("no such profile")}), false, doctor.Configuration, doctor.Refused, "TEMPORAL_*"},
		"no namespace": {nil, true, doctor.Configuration, doctor.Refused, "namespace create --namespace default"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := healthy()
			p.server.silent, p.server.server.NamespaceMissing = c.silent, c.missing
			report := p.examine(t, doctor.Options{Fix: true})
			f := only(t, report, "temporal")
			require.Equal(t, doctor.Problem, f.Level)
			require.Equal(t, c.cause, f.Cause)
			require.Contains(t, f.Message, "were not looked at")
			require.Contains(t, f.NextStep, c.next)
			require.Equal(t, c.outcome, report.Outcome())
			for _, behind := range []string{"search attributes", "workers", "runs"} {
				require.Empty(t, of(report, behind))
			}
			only(t, report, "chains")
		})
	}
}

func TestSearchAttributes(t *testing.T) {
	t.Parallel()
	lacks := []string{"TuttiTenant", "TuttiChain"}
	denied := fmt.Errorf("list: %w", doctor.ErrNotPermitted)
	for name, c := range map[string]struct {
		missing         []string
		hidden, refused error
		fix             bool
		level           doctor.Level
		message         string
		fixed           bool
		registered      int
	}{
		"there":             {level: doctor.OK, message: "registered"},
		"missing":           {missing: lacks, level: doctor.Warning, message: "lacks TuttiTenant, TuttiChain"},
		"registered":        {missing: lacks, fix: true, level: doctor.OK, message: "registered TuttiTenant, TuttiChain now", fixed: true, registered: 1},
		"not ours to add":   {missing: lacks, refused: denied, fix: true, level: doctor.Warning, message: "could not be registered", registered: 1},
		"not ours to see":   {hidden: denied, level: doctor.Advice, message: "not permitted"},
		"no answer to that": {hidden: errors.New("unavailable"), level: doctor.Problem, message: "could not be looked at: unavailable"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := healthy()
			p.server.missing, p.server.hidden, p.server.refused = c.missing, c.hidden, c.refused
			f := only(t, p.examine(t, doctor.Options{Fix: c.fix}), "search attributes")
			require.Equal(t, c.level, f.Level)
			require.Contains(t, f.Message, c.message)
			require.Equal(t, c.fixed, f.Fixed)
			require.Equal(t, c.registered, p.server.registered)
		})
	}
}

func TestWorkers(t *testing.T) {
	t.Parallel()
	seen := func(ages ...time.Duration) []doctor.Poller {
		var all []doctor.Poller
		for i, age := range ages {
			all = append(all, doctor.Poller{Identity: fmt.Sprint(i), LastSeen: now().Add(-age)})
		}
		return all
	}
	twice := []doctor.Poller{{Identity: "1@host", LastSeen: now()}, {Identity: "1@host", LastSeen: now()}}
	for name, c := range map[string]struct {
		pollers doctor.Pollers
		err     error
		level   doctor.Level
		message string
		next    string
	}{
		"both":            {doctor.Pollers{Workflows: seen(0, time.Minute), Activities: seen(0)}, nil, doctor.OK, "by 2 workers for workflows and 1 worker for activities", ""},
		"one process":     {doctor.Pollers{Workflows: twice, Activities: twice}, nil, doctor.OK, "by 1 worker for workflows and 1 worker for activities", ""},
		"a clock ahead":   {doctor.Pollers{Workflows: seen(-time.Hour), Activities: seen(-time.Hour)}, nil, doctor.OK, "1 worker", ""},
		"nobody":          {doctor.Pollers{}, nil, doctor.Warning, "nobody polls the task queue tutti, so runs wait", "`tutti worker` or `tutti dev`"},
		"gone":            {doctor.Pollers{Workflows: seen(4 * time.Minute), Activities: seen(3 * time.Minute)}, nil, doctor.Warning, "the last worker was seen 3m0s ago", "`tutti worker`"},
		"nobody decides":  {doctor.Pollers{Activities: seen(0)}, nil, doctor.Warning, "for workflows", "--only workflows"},
		"nobody executes": {doctor.Pollers{Workflows: seen(0), Activities: seen(time.Hour)}, nil, doctor.Warning, "for activities", "--only activities"},
		"no answer":       {doctor.Pollers{}, errors.New("unavailable"), doctor.Problem, "unavailable", "again"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := healthy()
			p.server.pollers, p.server.pollersGone = c.pollers, c.err
			f := only(t, p.examine(t, doctor.Options{}), "workers")
			require.Equal(t, c.level, f.Level)
			require.Contains(t, f.Message, c.message)
			require.Contains(t, f.NextStep, c.next)
		})
	}
}

func TestBlockedRuns(t *testing.T) {
	t.Parallel()
	p := healthy()
	p.server.blocked = []string{"run-1", "run-3"}
	report := p.examine(t, doctor.Options{})
	found := of(report, "runs")
	require.Len(t, found, 2)
	require.Contains(t, found[0].Message, "run-1 is blocked")
	require.Contains(t, found[0].NextStep, "temporal workflow terminate -w run-1")
	require.Contains(t, found[1].Message, "run-3")
	require.Equal(t, doctor.Healthy, report.Outcome())

	p = healthy()
	require.Equal(t, "no open run is blocked", only(t, p.examine(t, doctor.Options{}), "runs").Message)
	p.server.more = true
	require.Contains(t, only(t, p.examine(t, doctor.Options{}), "runs").Message, "newest 50 open runs")
	p.server.runsGone = errors.New("unavailable")
	require.Equal(t, doctor.Platform, only(t, p.examine(t, doctor.Options{}), "runs").Cause)
}
