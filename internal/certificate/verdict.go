package certificate

import (
	"fmt"
	"math"
)

// verdict is what becomes of a scenario.
type verdict string

// The verdicts: there is no other way to a pass than that everything ran and passed.
const (
	passed verdict = "pass"
	failed verdict = "FAIL"
	notRun verdict = "NOT RUN"
)

// Row is a scenario with its verdict, as it stands in the report.
type Row struct {
	ID       string    `json:"id"`
	Done     string    `json:"done"`
	Expected string    `json:"expected"`
	Seen     []string  `json:"seen"`
	Pass     bool      `json:"pass"`
	Verdict  verdict   `json:"verdict"`
	Problems []string  `json:"problems"`
	Tests    []TestRow `json:"tests"`
	Seconds  float64   `json:"seconds"`
}

// TestRow is one test of a scenario.
type TestRow struct {
	Package string   `json:"package"`
	Test    string   `json:"test"`
	Result  string   `json:"result"`
	Seconds float64  `json:"seconds"`
	Seen    []string `json:"seen"`
	// Output is the end of what a test printed that did not pass.
	Output []string `json:"output,omitempty"`
}

// judge decides about a scenario from what was collected. It is decided when no test of it is
// still to come.
func (c *collector) judge(s Scenario) (row Row, decided bool) {
	row = Row{ID: s.ID, Done: s.Done, Expected: s.Expected, Seen: []string{}, Problems: []string{}, Tests: []TestRow{}}
	started, open := false, false
	for _, tests := range s.Tests {
		p := c.pack(tests.Package)
		started = started || p.Ended
		for _, test := range tests.Names {
			t := c.tests[name{tests.Package, test}]
			started = started || t != nil
			result := row.add(tests.Package, test, t, p)
			open = open || result == "" && !p.Ended
		}
		if p.Problem != "" {
			row.Problems = append(row.Problems, p.Problem)
		}
	}
	switch {
	case len(s.Tests) == 0:
		row.Problems = []string{"its test is not in the table yet"}
		row.Verdict = notRun
	case !started:
		row.Problems = []string{"the run ended before it"}
		row.Verdict = notRun
	case len(row.Problems) > 0:
		row.Verdict = failed
	case len(row.Seen) == 0:
		row.Problems = []string{"no test of it recorded what it saw"}
		row.Verdict = failed
	default:
		row.Verdict = passed
	}
	row.Pass = row.Verdict == passed
	return row, !open
}

// add takes one test into the row and returns how it ended.
func (r *Row) add(folder, test string, t *tested, p *pack) string {
	at := TestRow{Package: folder, Test: test, Result: "did not run", Seen: []string{}}
	switch {
	case t == nil:
		r.Problems = append(r.Problems, test+" did not run")
		r.Tests = append(r.Tests, at)
		return ""
	case t.Ended == "":
		at.Result = "did not end"
		r.Problems = append(r.Problems, test+" did not end")
	case t.Ended == "skip":
		at.Result = "skipped"
		r.Problems = append(r.Problems, test+" was skipped")
	case t.Ended == "fail":
		at.Result = "failed"
		r.Problems = append(r.Problems, test+" failed")
	case len(t.Skipped) > 0:
		at.Result = "skipped in part"
		r.Problems = append(r.Problems, fmt.Sprintf("of %s, %s was skipped", test, t.Skipped[0]))
	default:
		at.Result = "passed"
	}
	at.Seconds = round(t.Seconds)
	at.Seen = append(at.Seen, t.Seen...)
	if at.Result != "passed" {
		at.Output = append(at.Output, t.output...)
		if t.Ended == "" {
			at.Output = append(at.Output, p.output...)
		}
	}
	r.Seen = append(r.Seen, t.Seen...)
	r.Seconds = round(r.Seconds + t.Seconds)
	r.Tests = append(r.Tests, at)
	return t.Ended
}

// round leaves what of a duration is worth reading.
func round(seconds float64) float64 { return math.Round(seconds*100) / 100 }
