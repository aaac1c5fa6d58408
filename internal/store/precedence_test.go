package store_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/store"
)

func TestSupersedes(t *testing.T) {
	t.Parallel()
	stored := store.Version{TemporalRunID: "a", LastEventID: 20, Builder: 3}
	for name, c := range map[string]struct {
		temporalRunID string
		lastEventID   int64
		builder       int
		current       bool
		wins          bool
	}{
		"the same":                       {"a", 20, 3, true, false},
		"more of the history":            {"a", 21, 3, false, true},
		"less of the history":            {"a", 19, 3, true, false},
		"less, by a newer builder":       {"a", 19, 4, true, false},
		"a newer builder":                {"a", 20, 4, false, true},
		"an older builder":               {"a", 20, 2, true, false},
		"another run, current":           {"b", 1, 3, true, true},
		"more, by an older builder":      {"a", 25, 2, true, false},
		"current, by an older builder":   {"b", 99, 2, true, false},
		"another run, longer, not it":    {"b", 99, 9, false, false},
		"more, although a reset came up": {"a", 25, 3, false, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := store.Snapshot{
				Record:  run.Record{TemporalRunID: c.temporalRunID, LastEventID: c.lastEventID},
				Builder: c.builder, Current: c.current,
			}
			require.Equal(t, c.wins, s.Supersedes(stored))
		})
	}
}

func TestARebuildReplacesItsEqualAndNothingMore(t *testing.T) {
	t.Parallel()
	s := store.Snapshot{Record: run.Record{TemporalRunID: "a", LastEventID: 20}, Builder: 3, Rebuild: true}
	require.True(t, s.Supersedes(store.Version{TemporalRunID: "a", LastEventID: 20, Builder: 3}))
	require.False(t, s.Supersedes(store.Version{TemporalRunID: "a", LastEventID: 21, Builder: 3}))
	require.False(t, s.Supersedes(store.Version{TemporalRunID: "a", LastEventID: 20, Builder: 4}))
	require.False(t, s.Supersedes(store.Version{TemporalRunID: "b", LastEventID: 1, Builder: 3}))
}

func TestNewFrom(t *testing.T) {
	t.Parallel()
	v := store.Version{TemporalRunID: "a", LastEventID: 9, Builder: 1}
	events := [][]byte{[]byte("one"), []byte("two"), []byte("three")}
	for name, c := range map[string]struct {
		stored store.StoredEvents
		from   int
	}{
		"nothing stored":         {store.StoredEvents{Version: v}, 0},
		"a beginning":            {store.StoredEvents{Version: v, Count: 2, Last: []byte("two")}, 2},
		"all":                    {store.StoredEvents{Version: v, Count: 3, Last: []byte("three")}, 3},
		"something else":         {store.StoredEvents{Version: v, Count: 2, Last: []byte("deux")}, 0},
		"more than there is now": {store.StoredEvents{Version: v, Count: 4, Last: []byte("four")}, 0},
		"another Temporal run": {store.StoredEvents{
			Version: store.Version{TemporalRunID: "b", Builder: 1}, Count: 2, Last: []byte("two"),
		}, 0},
		"another builder": {store.StoredEvents{
			Version: store.Version{TemporalRunID: "a", Builder: 2}, Count: 2, Last: []byte("two"),
		}, 0},
	} {
		require.Equal(t, c.from, c.stored.NewFrom(v, events), name)
	}
}
