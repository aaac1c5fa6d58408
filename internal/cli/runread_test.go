package cli

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/content"
	"github.com/tutti-dev/tutti/internal/run"
)

func TestEverythingByRunIDReadsTheRunsOwnHistory(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.work()
	id := s.finished(s.start(planOf(run.BackendProvider, "architect", "reviewer")))

	shown := s.ok("run", "show", id)
	for _, want := range []string{
		"status   completed · executed", "chain    architect -> reviewer (1.0.0+h000000000000)",
		"usage    20 in, 20 out tokens", "meaning  Provider output is the model's own", "request  please build it",
		"web ui   http://127.0.0.1:", "2  reviewer   reviewer    done    provider:demo:echo  10 in, 10 out",
	} {
		require.Contains(t, shown, want)
	}

	record := decoded[map[string]any](s, "run", "show", id, "--json")
	require.Equal(t, id, record["runId"])
	require.Equal(t, "answer of reviewer", record["finalMessage"])
	require.Equal(t, false, record["blocked"])
	require.Equal(t, false, record["stale"])

	require.Equal(t, "answer of reviewer\n", s.ok("run", "output", id))
	require.Equal(t, "answer of architect\n", s.ok("run", "output", id, "architect"))
	one := decoded[output](s, "run", "output", id, "architect", "--json")
	require.Equal(t, output{
		RunID: id, TaskID: "architect", Status: "done", Output: "answer of architect", SHA256: content.Digest("answer of architect"),
	}, one)

	require.Equal(t, "===== system =====\nYou are the reviewer.\n===== user =====\ndo reviewer\n", s.ok("run", "prompt", id, "reviewer"))
	p := decoded[prompt](s, "run", "prompt", id, "reviewer", "--json")
	require.Equal(t, content.Digest(p.System+"\x00"+p.User), p.SHA256)

	require.NoFileExists(t, s.dataDir()+"/store", "no store was needed for any of this")
}

func TestEventsAreListedInTheOrderInWhichTheyTookEffect(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.script.fail("bad", run.CodeAuth)
	s.work()
	id := s.finished(s.start(planOf(run.BackendProvider, "good", "bad", "late")))

	var types []string
	for line := range strings.Lines(s.ok("run", "events", id, "--json")) {
		stamped, err := run.DecodeEvent([]byte(line))
		require.NoError(t, err)
		require.NotZero(t, stamped.EventID)
		types = append(types, run.TypeOf(stamped.Event))
	}
	require.Equal(t, []string{
		"run-started", "task-scheduled", "task-answered", "task-scheduled", "task-failed", "task-skipped", "run-closed",
	}, types)
	table := s.ok("run", "events", id)
	require.Contains(t, table, "task-failed     bad   PROVIDER_AUTH_ERROR: as the script says; change the script")
	require.Contains(t, table, "task-skipped    late  upstream-failed")
}

func TestARunIsNamedByPrefixAndAsTheLastOne(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.work()
	first := s.finished(s.start(planOf(run.BackendInline, "one")))
	second := s.finished(s.start(planOf(run.BackendInline, "one")))

	name := func(word string) string { return decoded[run.Record](s, "run", "show", word, "--json").RunID }
	require.Equal(t, second, name("@last"))
	require.Equal(t, first, name(first))
	unique := first
	for len(unique) > 0 && !strings.HasPrefix(second, unique[:len(unique)-1]) {
		unique = unique[:len(unique)-1]
	}
	require.Equal(t, first, name(unique))

	said := s.refused(ExitUsage, "run", "show", "run-")
	require.Contains(t, said, `"run-" begins more than one run: `)
	require.Contains(t, said, first)
	require.Contains(t, said, "give more of its ID")
}

func TestWhatIsNotThereIsRefusedWithTheNextStep(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.script.fail("bad", run.CodeAuth)
	s.work()
	id := s.finished(s.start(planOf(run.BackendProvider, "good", "bad", "late")))
	inline := s.finished(s.start(planOf(run.BackendInline, "only")))

	for want, args := range map[string][]string{
		`tenant default has no run "run-0123456789abcdef"; see ` + "`tutti run list`":                     {"run", "show", "run-0123456789abcdef"},
		`tenant default has no run "nonsense"`:                                                            {"run", "events", "nonsense"},
		`tenant other has no run "` + id + `"`:                                                            {"--tenant", "other", "run", "output", id},
		`has no task "nobody"; its tasks are good, bad, late`:                                             {"run", "output", id, "nobody"},
		`has 3 tasks; name one: its tasks are good, bad, late`:                                            {"run", "prompt", id},
		"failed: PROVIDER_AUTH_ERROR: as the script says; change the script":                              {"run", "output", id, "bad"},
		"was skipped (upstream-failed); see `tutti run output " + id + " good`":                           {"run", "output", id, "late"},
		"no final message: 1 of 3 tasks done; bad: PROVIDER_AUTH_ERROR; 1 skipped; see `tutti run output": {"run", "output", id},
		"task late of run " + id + " is skipped and never had a prompt":                                   {"run", "prompt", id, "late"},
		"was only prepared, nothing was executed; see `tutti run prompt":                                  {"run", "output", inline, "only"},
	} {
		require.Contains(t, s.refused(ExitUsage, args...), want, "%v", args)
	}
	require.Equal(t, "===== system =====\nYou are the only.\n===== user =====\ndo only\n", s.ok("run", "prompt", inline))
	require.Equal(t, "Nothing was executed: 1 prompt was prepared.\n", s.ok("run", "output", inline))
	require.NotContains(t, s.ok("run", "show", inline), "usage")
}

func TestARunThatNobodyTakesUpSaysSo(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	id := s.start(planOf(run.BackendProvider, "one"))

	got := s.tutti("run", "show", id)
	require.Zero(t, got.code)
	require.Contains(t, got.out, "status   planned\n")
	require.Contains(t, got.errors, "no worker polls task queue tutti; start one with `tutti worker`")
	got = s.tutti("run", "events", id)
	require.Zero(t, got.code)
	require.Contains(t, got.errors, "nothing has happened yet")

	require.Contains(t, s.refused(ExitPlatform, "run", "output", id), "is planned and has no final message yet; watch it with")
	require.Contains(t, s.refused(ExitPlatform, "run", "output", id, "one"), "is queued and has no output yet")
	require.Contains(t, s.refused(ExitPlatform, "run", "prompt", id), "has no prompt that could be read yet")
}

func TestALargeTextIsFetchedFromTheStoreOnlyWhenItIsWanted(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	large := strings.Repeat("much to say. ", 2000)
	s.script.outputs["writer"] = content.Of(large).Ref()
	s.work()
	id := s.finished(s.start(planOf(run.BackendProvider, "writer")))

	require.Contains(t, s.ok("run", "show", id), "completed")
	said := s.refused(ExitPlatform, "run", "output", id)
	require.Contains(t, said, "the output of writer ("+content.Digest(large)[:12]+") is not in this content store; read it where")

	// The record is the record without its texts, too.
	got := s.tutti("run", "show", id, "--json")
	require.Zero(t, got.code)
	require.Contains(t, got.errors, "warning: the output of writer")
	require.Contains(t, got.out, content.Digest(large))

	away := s.with("TUTTI_STORE", "postgres").with("DATABASE_URL", "postgres://127.0.0.1:1/none")
	require.Contains(t, away.refused(ExitPlatform, "run", "output", id), "is in the content store, which cannot be read now; see `tutti doctor`")

	require.NoError(t, s.store().PutContent(t.Context(), "default", content.Digest(large), []byte(large)))
	require.Equal(t, large+"\n", s.ok("run", "output", id))
	var record run.Record
	require.NoError(t, json.Unmarshal([]byte(s.ok("run", "show", id, "--json")), &record))
	require.Equal(t, large, record.FinalMessage)
	require.Equal(t, large, record.Tasks[0].Output)
}
