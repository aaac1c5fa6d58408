package certificate

import (
	"context"
	"fmt"
	"io"
)

// run has the scenarios' tests run, package by package, and returns the rows. On progress it says
// each verdict as soon as it is known.
func run(ctx context.Context, scenarios []Scenario, test runner, progress io.Writer) []Row {
	c := newCollector()
	told := map[string]verdict{}
	tell := func() {
		for _, scenario := range scenarios {
			// What a whole package says in the end may turn an earlier verdict.
			if row, decided := c.judge(scenario); decided && told[row.ID] != row.Verdict {
				told[row.ID] = row.Verdict
				said := row.Done
				if !row.Pass {
					said = row.Problems[0]
				}
				fmt.Fprintf(progress, "%-4s %-7s %6.1fs  %s\n", row.ID, row.Verdict, row.Seconds, said)
			}
		}
	}
	tell()
	for _, tests := range byPackage(scenarios) {
		if ctx.Err() != nil {
			break
		}
		fmt.Fprintf(progress, "testing %s: %d tests\n", tests.Package, len(tests.Names))
		err := test(ctx, tests, func(e event) {
			if c.take(tests.Package, e) {
				tell()
			}
		})
		if ctx.Err() != nil {
			break // A package that was cut off has not ended: what it did not come to is not run.
		}
		c.end(tests.Package, err)
		tell()
	}
	rows := make([]Row, 0, len(scenarios))
	for _, scenario := range scenarios {
		row, _ := c.judge(scenario)
		rows = append(rows, row)
	}
	return rows
}
