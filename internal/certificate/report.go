package certificate

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// Report is the certificate for programs.
type Report struct {
	Origin
	// Scope is what was asked for: all, quick, or the numbers.
	Scope string `json:"scope"`
	// Pass says that every scenario of the scope passed.
	Pass bool `json:"pass"`
	// Seconds is how long all of it took.
	Seconds   float64 `json:"seconds"`
	Scenarios []Row   `json:"scenarios"`
	// Measured are the benchmarks, which `make bench` measures.
	Measured []string `json:"measuredByMakeBench"`
}

// save writes the report, whole or not at all.
func (r Report) save(path string) error {
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return fmt.Errorf("writing the report: %w", err)
	}
	half, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*")
	if err != nil {
		return fmt.Errorf("writing the report: %w", err)
	}
	defer func() { _ = os.Remove(half.Name()) }() // It is gone when it was renamed.
	_, err = half.Write(append(text, '\n'))
	if closing := half.Close(); err == nil {
		err = closing
	}
	if err == nil {
		err = os.Rename(half.Name(), path)
	}
	if err != nil {
		return fmt.Errorf("writing the report: %w", err)
	}
	return nil
}

// write prints the certificate for people: the table, how each failure looked, and the sum.
func (r Report) write(w io.Writer, width int) {
	modified := ""
	if r.Modified {
		modified = ", modified"
	}
	fmt.Fprintf(w, "tutti at commit %s%s, %s, %s, %s with %d cores, %s\n\n",
		r.Commit, modified, r.Go, r.Temporal, r.OS, r.Cores, r.Time.Format("2006-01-02 15:04:05Z"))
	writeTable(w, r.Scenarios, width)
	counts := map[verdict][]string{}
	for _, row := range r.Scenarios {
		counts[row.Verdict] = append(counts[row.Verdict], row.ID)
		writeFailures(w, row)
	}
	fmt.Fprintf(w, "\n%d of %d scenarios pass (%s)", len(counts[passed]), len(r.Scenarios), r.Scope)
	if ids := counts[failed]; len(ids) > 0 {
		fmt.Fprintf(w, "; failed: %s", strings.Join(ids, ", "))
	}
	if ids := counts[notRun]; len(ids) > 0 {
		fmt.Fprintf(w, "; not run: %s", strings.Join(ids, ", "))
	}
	fmt.Fprintf(w, ". Measured by make bench: %s.\n", strings.Join(r.Measured, ", "))
}

// writeFailures prints the end of what the tests of a failed scenario said.
func writeFailures(w io.Writer, row Row) {
	if row.Verdict != failed {
		return
	}
	for _, t := range row.Tests {
		if len(t.Output) > 0 {
			fmt.Fprintf(w, "\n%s: %s of %s %s\n", row.ID, t.Test, t.Package, t.Result)
			for _, line := range t.Output {
				fmt.Fprintf(w, "    %s\n", line)
			}
		}
	}
}
