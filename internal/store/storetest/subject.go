package storetest

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/store"
)

// Subject is an adapter under test.
type Subject struct {
	// Place makes an empty place, ready to be opened, and returns its address.
	Place func(t testing.TB) string
	// Open opens a store on a place, also one that another process uses.
	Open func(ctx context.Context, place string) (store.Store, error)
}

// Capabilities are what not every adapter has to offer.
type Capabilities struct {
	// Durable: what was saved outlives the process, however that ended.
	Durable bool
	// Shared: several processes may use one place at once.
	Shared bool
}

// Run runs the whole suite.
func Run(t *testing.T, subject Subject, claimed Capabilities) {
	for name, test := range map[string]func(*testing.T, Subject){
		"usable":                testUsable,
		"context":               testContext,
		"round trip":            testRoundTrip,
		"order of projections":  testOrderOfProjections,
		"all orders":            testAllOrders,
		"events":                testEvents,
		"saves at once":         testSavesAtOnce,
		"saves together":        testSavesTogether,
		"together and at once":  testSavesTogetherAtOnce,
		"paging":                testPaging,
		"paging while inserted": testPagingWhileInserted,
		"filters":               testFilters,
		"short listing":         testShortListing,
		"tenants":               testTenants,
		"texts":                 testTexts,
		"contents":              testContents,
		"answers":               testAnswers,
		"attempts":              testAttempts,
		"attempts at once":      testAttemptsAtOnce,
		"attempt put right":     testAttemptPutRight,
		"prices":                testPrices,
		"open runs":             testOpenRuns,
		"outdated runs":         testOutdatedRuns,
		"ended runs":            testEndedRuns,
		"watermark":             testWatermark,
		"leases":                testLeases,
		"archive":               testArchive,
		"specialists":           testSpecialists,
		"garbage":               testGarbage,
		"rebuilt rows":          testRebuild,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, subject)
		})
	}
	t.Run("capabilities", func(t *testing.T) {
		t.Parallel()
		require.Equal(t, claimed, Observe(t, subject), "the table of capabilities says otherwise")
	})
	if claimed.Durable {
		t.Run("crash", func(t *testing.T) {
			t.Parallel()
			testCrash(t, subject)
		})
	}
	if claimed.Shared {
		t.Run("several processes", func(t *testing.T) {
			t.Parallel()
			testProcesses(t, subject)
		})
	}
}

// fresh opens a store on a place of its own.
func (s Subject) fresh(t testing.TB) store.Store {
	t.Helper()
	return s.open(t, s.Place(t))
}

func (s Subject) open(t testing.TB, place string) store.Store {
	t.Helper()
	st, err := s.Open(t.Context(), place)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, st.Close()) })
	return st
}

func testUsable(t *testing.T, subject Subject) {
	st := subject.fresh(t)
	require.NoError(t, st.Check(t.Context()))
	require.Contains(t, []string{"postgres", "sqlite", "filesystem", "memory"}, st.Name())
}
