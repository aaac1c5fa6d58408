package run

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/content"
)

// tenth is a price at which a call's estimate is easy to see: a ceiling of
// 100,000 tokens at one dollar a million is ten cents, and the prompt is free.
func tenth() ModelChoice {
	return ModelChoice{Provider: "p", Model: "m", Ceiling: 100_000, Price: &Price{ID: "x", Input: "0", Output: "1"}}
}

func capped(t *testing.T, cost string, tasks ...PlannedTask) *Record {
	t.Helper()
	plan := Plan{Tasks: tasks, Budget: Budget{MaxCostUSD: &cost}}
	for i := range plan.Tasks {
		plan.Tasks[i].Backend = BackendProvider
	}
	r := &Record{}
	require.NoError(t, r.Apply(Started{RunID: "run-1", Plan: &plan}, noTime))
	return r
}

func paid(id, cost string) Stamped {
	return Stamped{Event: TaskAnswered{OfTask: OfTask{id}, Output: content.Of("x"), Charge: Charge{CostUSD: cost, Tokens: 1}}}
}

func TestCallsStartOnlyWhileTheirEstimatesFit(t *testing.T) {
	t.Parallel()
	r := capped(t, "0.25", PlannedTask{ID: "a", ModelChoice: tenth()}, PlannedTask{ID: "b", ModelChoice: tenth()}, PlannedTask{ID: "c", ModelChoice: tenth()})
	d, _, err := r.Turn(nil, noTime, noTime)
	require.NoError(t, err)
	require.Equal(t, []string{"a", "b"}, d.Start, "a third would not fit")
	schedule(t, r, d.Start...)
	require.Equal(t, "0.15", *r.Allowance(&r.Tasks[0]).MaxCostUSD, "what the others leave")

	d, _, err = r.Turn([]Stamped{paid("a", "0.01")}, noTime, noTime)
	require.NoError(t, err)
	require.Equal(t, []string{"c"}, d.Start, "a call that was cheaper leaves room")
}

func TestOneCallMayCrossTheCapAndTheRestIsSkipped(t *testing.T) {
	t.Parallel()
	r := capped(t, "0.05", PlannedTask{ID: "a", ModelChoice: tenth()}, PlannedTask{ID: "b", ModelChoice: tenth()}, PlannedTask{ID: "c", ModelChoice: tenth(), Needs: []string{"b"}})
	d, _, err := r.Turn(nil, noTime, noTime)
	require.NoError(t, err)
	require.Equal(t, []string{"a"}, d.Start)
	schedule(t, r, "a")
	_, _, err = r.Turn([]Stamped{paid("a", "0.08")}, noTime, noTime)
	require.NoError(t, err)
	require.Equal(t, CompletedWithFailures, r.Status)
	require.Equal(t, SkipBudgetExceeded, r.Tasks[1].SkipReason)
	require.Equal(t, SkipUpstreamFailed, r.Tasks[2].SkipReason)
}

func TestACapOfZeroSpendsNothing(t *testing.T) {
	t.Parallel()
	r := capped(t, "0", PlannedTask{ID: "a", ModelChoice: tenth()})
	_, _, err := r.Turn(nil, noTime, noTime)
	require.NoError(t, err)
	require.Equal(t, CompletedWithFailures, r.Status)
	require.Equal(t, SkipBudgetExceeded, r.Tasks[0].SkipReason)
}

func TestATokenCapHoldsLikewise(t *testing.T) {
	t.Parallel()
	most := int64(150_000)
	choice := tenth()
	choice.Price = nil
	plan := Plan{Budget: Budget{MaxTokens: &most}, Tasks: []PlannedTask{
		{ID: "a", Backend: BackendProvider, ModelChoice: choice}, {ID: "b", Backend: BackendProvider, ModelChoice: choice},
	}}
	r := &Record{}
	require.NoError(t, r.Apply(Started{RunID: "run-1", Plan: &plan}, noTime))
	d, _, err := r.Turn(nil, noTime, noTime)
	require.NoError(t, err)
	require.Equal(t, []string{"a"}, d.Start)
}

// Whatever the graph and the bills, a run passes its cap by at most the one call
// that crossed it.
func TestRandomBudgetsArePassedByAtMostOneCall(t *testing.T) {
	t.Parallel()
	for seed := range uint64(100) {
		random := rand.New(rand.NewPCG(seed, 2))
		tasks := make([]PlannedTask, 64)
		for i := range tasks {
			tasks[i] = PlannedTask{ID: fmt.Sprint("t", i), ModelChoice: tenth()}
		}
		limit := big.NewRat(int64(random.IntN(300)), 100)
		r := capped(t, Decimal(limit), tasks...)
		d, _, err := r.Turn(nil, noTime, noTime)
		require.NoError(t, err)
		running := d.Start
		schedule(t, r, running...)
		most := new(big.Rat)
		for !r.Status.IsTerminal() {
			bill := big.NewRat(int64(random.IntN(100)), 1000) // never above the estimate
			if bill.Cmp(most) > 0 {
				most = bill
			}
			d, _, err := r.Turn([]Stamped{paid(running[0], Decimal(bill))}, noTime, noTime)
			require.NoError(t, err)
			running = append(running[1:], d.Start...)
			schedule(t, r, d.Start...)
		}
		spent := amount(r.purse().spent.CostUSD)
		over := new(big.Rat).Sub(spent, limit)
		require.LessOrEqual(t, over.Cmp(big.NewRat(1, 10)), 0, "seed %d: cap %s, spent %s", seed, Decimal(limit), Decimal(spent))
	}
}
