package main_test

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	enumspb "go.temporal.io/api/enums/v1"
	"google.golang.org/protobuf/proto"

	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/testenv"
)

// holding lists the tables and views, or with a pattern their columns of that name, in which a text
// stands, as characters or as bytes.
func (s *stage) holding(dsn, text, column string) (found []string) {
	s.t.Helper()
	for _, place := range s.sql(dsn, fmt.Sprintf(`
select distinct case when '%[1]s' = '' then format('%%I.%%I r', table_schema, table_name)
  else format('(select %%I from %%I.%%I) r', column_name, table_schema, table_name) end
from information_schema.columns where table_schema in ('tutti', 'tutti_kept') and column_name like '%[1]s%%' order by 1`, column)) {
		pattern := fmt.Sprintf("%%(%s|%s)%%", text, hex.EncodeToString([]byte(text)))
		if rows := s.sql(dsn, fmt.Sprintf("select count(*)::text from %s where r::text similar to '%s'", place, pattern)); rows[0] != "0" {
			found = append(found, place)
		}
	}
	return found
}

// T3: a canary key stands nowhere, and a canary prompt only where requests belong: in the inputs of the
// run and its activities, in the run's row and in the content store. Not in errors, logs, metrics, rows of
// attempts, error columns or any other payload of the history.
func TestNoKeyAndNoPromptStandWhereTheyDoNotBelong(t *testing.T) {
	t.Parallel()
	const key, marker = "sk-canary-7d1f0c2ab4e5", "CANARY-PROMPT-51f6"
	s := newStage(t)
	s.write("tutti.yaml", "providers:\n  fake:\n    dialect: openai\n    baseURL: "+s.fake.BaseURL()+"\n    apiKeyEnv: CANARY_KEY\n")
	s.env = append(s.env, "CANARY_KEY="+key)
	dsn := testenv.Postgres(t)
	s.team(dsn)
	port, err := testenv.FreePort()
	require.NoError(t, err)
	metrics := fmt.Sprintf("127.0.0.1:%d", port)
	w := s.worker("-v", "--metrics", metrics)
	payloads, failures := 0, 0
	for _, model := range []string{"fake/echo", "fake/no-such-model", "fake/case-openai-401-masked-key"} {
		p, _ := s.tutti("submit", marker+" please", "--chain", "architect -> engineer", "--backend", "provider", "--model", model, "-v")
		require.NotContains(t, p.Output(), key)
		require.NotContains(t, p.Stderr(), marker)
		record := s.show("@last")
		for _, e := range s.history(record.RunID) {
			raw, err := proto.Marshal(e)
			require.NoError(t, err)
			require.NotContains(t, string(raw), key, e.GetEventType())
			switch e.GetEventType() {
			case enumspb.EVENT_TYPE_WORKFLOW_EXECUTION_STARTED:
				require.Contains(t, string(raw), marker, "the canary would be found")
			case enumspb.EVENT_TYPE_ACTIVITY_TASK_SCHEDULED: // Its input is what the prompt is made of.
			default:
				require.NotContains(t, string(raw), marker, e.GetEventType())
			}
			payloads++
		}
		for _, task := range record.Tasks {
			if task.Error != nil {
				told, err := json.Marshal(task.Error)
				require.NoError(t, err)
				require.NotContains(t, string(told), marker)
				failures++
			}
		}
	}
	s.settled(3)
	require.NotContains(t, w.Output(), key)
	require.NotContains(t, w.Output(), marker, "logs hold no prompt")
	response, err := http.Get("http://" + metrics + "/metrics")
	require.NoError(t, err)
	defer func() { _ = response.Body.Close() }()
	measured, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	require.Contains(t, string(measured), "tutti_")
	require.NotContains(t, string(measured), key)
	require.NotContains(t, string(measured), marker)

	require.Empty(t, s.holding(dsn, key, ""))
	require.Empty(t, s.holding(dsn, marker, "error"), "error columns")
	places := s.holding(dsn, marker, "")
	require.Contains(t, places, "tutti.runs r", "the canary would be found")
	require.NotContains(t, places, "tutti_kept.model_calls r")
	require.NotContains(t, places, "tutti_kept.call_answers r")
	require.NoError(t, filepath.WalkDir(s.data, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		raw, err := os.ReadFile(path)
		require.NotContains(t, string(raw), key, path)
		return err
	}))
	require.Positive(t, failures)
	testenv.Seen(t, "the key in none of %d history events, tables, files, logs and metrics; the prompt in no error of %d, no error column, log line, metric or payload but the inputs", payloads, failures)
	require.Equal(t, run.CompletedWithFailures, s.show("@last").Status)
}
