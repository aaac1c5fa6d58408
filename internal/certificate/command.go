package certificate

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// The exit codes.
const (
	exitGiven   = 0 // every scenario of the scope passed
	exitRefused = 1 // one did not
	exitUsage   = 2
)

// Process is the edge of the process.
type Process struct {
	// Args are the arguments without the program's name.
	Args           []string
	Stdout, Stderr io.Writer
	// Dir is the module's folder.
	Dir string
	// Width is the terminal's, or 0.
	Width int
}

// wish is what the arguments say.
type wish struct {
	Selection
	report string
}

// scope names what is asked for.
func (w wish) scope() string {
	switch {
	case len(w.Only) > 0:
		return "only " + strings.Join(w.Only, ", ")
	case w.Quick:
		return "quick"
	}
	return "all"
}

// Main runs the command until it ends or the context does, and returns its exit code.
func Main(ctx context.Context, p Process) int { return command(ctx, p, goTest(p.Dir)) }

func command(ctx context.Context, p Process, test runner) int {
	asked, err := parse(p)
	if errors.Is(err, flag.ErrHelp) {
		return exitGiven
	}
	if err == nil {
		err = inModule(p.Dir)
	}
	var scenarios []Scenario
	if err == nil {
		scenarios, err = Select(asked.Selection)
	}
	if err != nil {
		fmt.Fprintln(p.Stderr, "certify:", err)
		return exitUsage
	}
	began := time.Now()
	report := Report{Origin: origin(ctx, p.Dir, began), Scope: asked.scope(), Measured: measured}
	report.Scenarios = run(ctx, scenarios, test, p.Stderr)
	report.Seconds = round(time.Since(began).Seconds())
	report.Pass = !slices.ContainsFunc(report.Scenarios, func(r Row) bool { return !r.Pass })
	report.write(p.Stdout, p.Width)
	if asked.report != "" {
		if err := report.save(asked.report); err != nil {
			fmt.Fprintln(p.Stderr, "certify:", err)
			return exitRefused
		}
	}
	if !report.Pass {
		return exitRefused
	}
	return exitGiven
}

// parse reads the arguments. What is wrong with them is said before anything is run.
func parse(p Process) (wish, error) {
	var w wish
	var only string
	flags := flag.NewFlagSet("certify", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.BoolVar(&w.Quick, "quick", false, "run the part that continuous integration runs")
	flags.StringVar(&only, "only", "", "run these scenarios alone, such as `C2a,H1`")
	flags.StringVar(&w.report, "report", "", "write the certificate as JSON to this `file`")
	const help = "see `certify -h`"
	if err := flags.Parse(p.Args); errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(p.Stdout, "certify runs the scenarios of docs/certificate.md and prints what they showed.")
		flags.SetOutput(p.Stdout)
		flags.PrintDefaults()
		return w, err
	} else if err != nil {
		return w, fmt.Errorf("%w; %s", err, help)
	}
	w.Only = strings.FieldsFunc(only, func(r rune) bool { return r == ',' || r == ' ' })
	switch {
	case flags.NArg() > 0:
		return w, fmt.Errorf("unexpected argument %q; %s", flags.Arg(0), help)
	case w.Quick && len(w.Only) > 0:
		return w, errors.New("-quick and -only exclude each other; give one of them")
	case only != "" && len(w.Only) == 0:
		return w, fmt.Errorf("-only names no scenario; choose among %s", strings.Join(ids, ", "))
	}
	if w.report != "" {
		if folder, err := os.Stat(filepath.Dir(w.report)); err != nil || !folder.IsDir() {
			return w, fmt.Errorf("there is no folder %s for the report; make it, or name another file with -report", filepath.Dir(w.report))
		}
	}
	return w, nil
}

// inModule says whether a folder is a module's, where tests can be run.
func inModule(dir string) error {
	if _, err := os.Stat(filepath.Join(dir, "go.mod")); err != nil {
		return errors.New("there is no go.mod here; run `make certify` in the project's folder")
	}
	return nil
}
