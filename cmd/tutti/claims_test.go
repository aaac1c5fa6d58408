package main_test

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/testenv"
)

// H3: a claim expires, another session takes the task without a takeover, and a late result with the
// old token is refused.
func TestAnExpiredClaimGoesToTheNextAndTheOldTokenLoses(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.worker()
	one, two := s.session("one"), s.session("two")
	id := s.host("x", "--chain", "architect")
	first := one.next(id, "--lease", "1s")
	testenv.Eventually(t, patience, "the claim expires", func() error {
		if shown := s.must("run", "show", id); !strings.Contains(shown, "expired") {
			return errNotYet("it lives")
		}
		return nil
	})
	second := two.next(id)
	require.Greater(t, second.ClaimToken, first.ClaimToken)
	r, code := one.submit(id, "architect", "late", "--token", fmt.Sprint(first.ClaimToken))
	require.Equal(t, 1, code)
	require.Equal(t, run.CodeHostClaimLost, r.Code)
	require.Equal(t, run.Completed, two.accepted(id, "architect", "in time").RunStatus)
	require.Equal(t, "in time", s.show(id).Tasks[0].Output)
	testenv.Seen(t, "token %d expired, token %d was granted, the late result was refused with %s", first.ClaimToken, second.ClaimToken, r.Code)
}

// H6 in SQL, by the query of docs/sql.md, with the clock moved.
func TestARunThatWaitsForLongIsStaleInSQL(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	dsn := testenv.Postgres(t)
	s.team(dsn)
	s.worker()
	id := s.host("x", "--chain", "architect -> reviewer")
	s.settled(1)
	page, err := os.ReadFile("../../docs/sql.md")
	require.NoError(t, err)
	query := regexp.MustCompile("(?s)```sql\n([^`]*interval '30 minutes'[^`]*)```").FindStringSubmatch(string(page))
	require.NotNil(t, query, "docs/sql.md has the query for what is stale")
	at := func(minutes int) []string {
		return s.sql(dsn, strings.Replace(query[1], "now()", fmt.Sprintf("now() + interval '%d minutes'", minutes), 1))
	}
	require.Empty(t, at(29))
	require.Equal(t, []string{id}, at(31))
	require.Equal(t, run.AwaitingHost, s.show(id).Status)
	testenv.Seen(t, "in SQL stale after 31 minutes and not after 29; the run is %s", s.show(id).Status)
}
