package store_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/store"
)

var (
	errUnusable = errors.New("unable to open\ndatabase file")
	errDown     = fmt.Errorf("dial postgres://alice:canary@db: %w", store.ErrUnavailable)
	errOlder    = fmt.Errorf("version 3, wanted 4: %w", store.ErrSchema)
	errAddress  = fmt.Errorf("no address: %w", store.ErrSettings)
)

// opener opens what it is told to and remembers what was asked of it.
type opener struct {
	fails  map[string]error
	opened []string
}

func (o *opener) open(name string) error {
	o.opened = append(o.opened, name)
	return o.fails[name]
}

func TestResolve(t *testing.T) {
	t.Parallel()
	type fails = map[string]error
	sqliteReplaced := store.Fallbacks{{Replaces: "sqlite", Store: "filesystem", Reason: "disk full"}}
	postgresReplaced := store.Fallbacks{{Replaces: "postgres", Store: "filesystem", Reason: "DATABASE_URL is not set"}}

	tests := []struct {
		name    string
		req     store.Request
		fails   fails
		want    string // the store that is used
		opened  []string
		warning string // part of it
		newly   string // the store that a new fallback replaces
		err     error
	}{
		{name: "solo", req: store.Request{Mode: "solo"}, want: "filesystem", opened: []string{"filesystem"}},
		{name: "solo with an address", req: store.Request{Mode: "solo", DatabaseURLSet: true}, want: "filesystem", opened: []string{"filesystem"}},
		{name: "team", req: store.Request{Mode: "team", DatabaseURLSet: true}, want: "postgres", opened: []string{"postgres"}},
		{name: "enterprise", req: store.Request{Mode: "enterprise", DatabaseURLSet: true}, want: "postgres", opened: []string{"postgres"}},
		{name: "choice over mode: postgres", req: store.Request{Mode: "solo", Chosen: "postgres", DatabaseURLSet: true}, want: "postgres", opened: []string{"postgres"}},
		{name: "choice over mode: sqlite", req: store.Request{Mode: "team", Chosen: "sqlite", DatabaseURLSet: true}, want: "sqlite", opened: []string{"sqlite"}},
		{name: "choice over mode: filesystem", req: store.Request{Mode: "enterprise", Chosen: "filesystem"}, want: "filesystem", opened: []string{"filesystem"}},

		{
			name: "team without an address", req: store.Request{Mode: "team"},
			want: "filesystem", opened: []string{"filesystem"}, newly: "postgres", warning: "DATABASE_URL is not set",
		},
		{
			name: "chosen postgres without an address", req: store.Request{Mode: "solo", Chosen: "postgres"},
			want: "filesystem", opened: []string{"filesystem"}, newly: "postgres", warning: "tutti doctor --fix",
		},
		{
			name: "sqlite unusable", req: store.Request{Chosen: "sqlite"}, fails: fails{"sqlite": errUnusable},
			want: "filesystem", opened: []string{"sqlite", "filesystem"}, newly: "sqlite", warning: "(unable to open database file)",
		},
		{
			name: "postgres down is never replaced", req: store.Request{Mode: "team", DatabaseURLSet: true}, fails: fails{"postgres": errDown},
			want: "postgres", opened: []string{"postgres"}, warning: "lists come from Temporal",
		},
		{
			name: "postgres failing in an unknown way is never replaced", req: store.Request{Mode: "team", DatabaseURLSet: true}, fails: fails{"postgres": context.DeadlineExceeded},
			want: "postgres", opened: []string{"postgres"}, warning: "lists come from Temporal",
		},

		{name: "postgres of another schema", req: store.Request{Mode: "team", DatabaseURLSet: true}, fails: fails{"postgres": errOlder}, opened: []string{"postgres"}, err: store.ErrSchema},
		{name: "postgres with a wrong address", req: store.Request{Mode: "team", DatabaseURLSet: true}, fails: fails{"postgres": errAddress}, opened: []string{"postgres"}, err: store.ErrSettings},
		{name: "sqlite of another schema", req: store.Request{Chosen: "sqlite"}, fails: fails{"sqlite": errOlder}, opened: []string{"sqlite"}, err: store.ErrSchema},
		{name: "filesystem of another schema", req: store.Request{Mode: "solo"}, fails: fails{"filesystem": errOlder}, opened: []string{"filesystem"}, err: store.ErrSchema},
		{name: "interrupted at sqlite", req: store.Request{Chosen: "sqlite"}, fails: fails{"sqlite": context.Canceled}, opened: []string{"sqlite"}, err: context.Canceled},
		{name: "out of time at sqlite", req: store.Request{Chosen: "sqlite"}, fails: fails{"sqlite": context.DeadlineExceeded}, opened: []string{"sqlite"}, err: context.DeadlineExceeded},
		{name: "interrupted at postgres", req: store.Request{Mode: "team", DatabaseURLSet: true}, fails: fails{"postgres": context.Canceled}, opened: []string{"postgres"}, err: context.Canceled},
		{name: "nothing stands in for the filesystem", req: store.Request{Mode: "solo"}, fails: fails{"filesystem": errUnusable}, opened: []string{"filesystem"}, err: errUnusable},
		{
			name: "no fallback that cannot be opened", req: store.Request{Chosen: "sqlite"}, fails: fails{"sqlite": errors.New("locked"), "filesystem": errUnusable},
			opened: []string{"sqlite", "filesystem"}, err: errUnusable,
		},

		{
			name: "follows the fallback of sqlite", req: store.Request{Chosen: "sqlite", Fallbacks: sqliteReplaced},
			want: "filesystem", opened: []string{"filesystem"}, warning: "(disk full)",
		},
		{
			name: "follows the fallback of postgres, by mode and with an address", req: store.Request{Mode: "team", DatabaseURLSet: true, Fallbacks: postgresReplaced},
			want: "filesystem", opened: []string{"filesystem"}, warning: "stands in for postgres",
		},
		{name: "another store is what it is: postgres", req: store.Request{Mode: "team", DatabaseURLSet: true, Fallbacks: sqliteReplaced}, want: "postgres", opened: []string{"postgres"}},
		{name: "another store is what it is: sqlite", req: store.Request{Chosen: "sqlite", Fallbacks: postgresReplaced}, want: "sqlite", opened: []string{"sqlite"}},
		{name: "another store is what it is: filesystem", req: store.Request{Mode: "solo", Fallbacks: sqliteReplaced}, want: "filesystem", opened: []string{"filesystem"}},
		{
			name: "another store falls back too", req: store.Request{Chosen: "sqlite", Fallbacks: postgresReplaced}, fails: fails{"sqlite": errUnusable},
			want: "filesystem", opened: []string{"sqlite", "filesystem"}, newly: "sqlite", warning: "stands in for sqlite",
		},
		{name: "a standing-in store that fails", req: store.Request{Chosen: "sqlite", Fallbacks: sqliteReplaced}, fails: fails{"filesystem": errUnusable}, opened: []string{"filesystem"}, err: errUnusable},

		{name: "memory", req: store.Request{Chosen: "memory"}, err: store.ErrUnknown},
		{name: "a store that is none", req: store.Request{Chosen: "mysql"}, err: store.ErrUnknown},
		{name: "a mode that is none", req: store.Request{Mode: "duo"}, err: store.ErrUnknown},
		{name: "no mode", req: store.Request{}, err: store.ErrUnknown},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			o := &opener{fails: tt.fails}
			got, err := store.Resolve(tt.req, o.open)
			require.Equal(t, tt.opened, o.opened)
			if tt.err != nil {
				require.ErrorIs(t, err, tt.err)
				require.Zero(t, got)
				return
			}
			require.NoError(t, err)
			require.Equal(t, tt.want, got.Name)
			if tt.warning == "" {
				require.Empty(t, got.Warning)
			}
			require.Contains(t, got.Warning, tt.warning)
			require.NotContains(t, got.Warning, "\n")
			require.NotContains(t, got.Warning, "canary", "a driver's words may hold the address")
			if tt.newly == "" {
				require.Nil(t, got.Fallback)
				return
			}
			require.NotNil(t, got.Fallback)
			require.Equal(t, tt.newly, got.Fallback.Replaces)
			require.Equal(t, tt.newly, got.Asked)
			require.Equal(t, "filesystem", got.Fallback.Store)
		})
	}
}
