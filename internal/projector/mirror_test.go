package projector_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/history"
	"github.com/tutti-dev/tutti/internal/store"
	"github.com/tutti-dev/tutti/internal/store/filesystem"
	"github.com/tutti-dev/tutti/internal/store/postgres"
	"github.com/tutti-dev/tutti/internal/testenv"
)

// differs says in what the row of a run is not the fold of its history.
func (s *stage) differs(mirror store.Mirror, runID string) error {
	s.t.Helper()
	folded, err := s.runs.Get(s.t.Context(), "default", runID)
	require.NoError(s.t, err)
	row, err := mirror.LoadRun(s.t.Context(), "default", runID)
	if err != nil {
		return err
	}
	want := store.Snapshot{Record: folded.Record, Events: folded.Events, Builder: history.Builder}
	if difference := cmp.Diff(inWords(s.t, want), inWords(s.t, row)); difference != "" {
		return fmt.Errorf("the fold (-) and the row (+) differ: %s", difference)
	}
	return nil
}

func (s *stage) requireRow(mirror store.Mirror, runID string) {
	s.t.Helper()
	require.NoError(s.t, s.differs(mirror, runID))
}

// inWords is a snapshot in the bytes that every store keeps.
func inWords(t *testing.T, snapshot store.Snapshot) string {
	t.Helper()
	encoded, err := store.Encode(snapshot)
	require.NoError(t, err)
	var words bytes.Buffer
	for _, raw := range append([][]byte{encoded.Record}, encoded.Events...) {
		require.NoError(t, json.Indent(&words, raw, "", " "))
		words.WriteByte('\n')
	}
	fmt.Fprintln(&words, "builder", snapshot.Builder)
	return words.String()
}

// mirrors runs a test on both kinds of store: a database and files.
func mirrors(t *testing.T, test func(*testing.T, store.Store)) {
	t.Helper()
	t.Run("postgres", func(t *testing.T) {
		t.Parallel()
		dsn := testenv.Postgres(t)
		_, _, err := postgres.Migrate(t.Context(), dsn)
		require.NoError(t, err)
		test(t, openPostgres(t, dsn))
	})
	t.Run("filesystem", func(t *testing.T) {
		t.Parallel()
		test(t, openFiles(t))
	})
}

func openPostgres(t *testing.T, dsn string) store.Store {
	t.Helper()
	s, err := postgres.Open(t.Context(), dsn, postgres.Options{MaxConns: 4, ConnectTimeout: time.Second})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s
}

func openFiles(t *testing.T) store.Store {
	t.Helper()
	s, err := filesystem.Open(t.TempDir())
	require.NoError(t, err)
	return s
}
