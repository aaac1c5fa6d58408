package certificate

import (
	"slices"
	"strings"
)

// seenKey is the attribute in which a test records what it saw.
const seenKey = "seen"

// keptOutput is how many lines of a test's output are kept, from its end.
const keptOutput = 60

// name is a top-level test of a package.
type name struct{ Package, Test string }

// tested is what is known of one test, its subtests included.
type tested struct {
	Ended   string // pass, fail, skip, or nothing while it runs
	Skipped []string
	Seen    []string
	Seconds float64
	parts   float64 // of the direct subtests, whose time side by side a test does not count as its own
	output  []string
}

// pack is what is known of one package's test process.
type pack struct {
	Ended   bool
	Problem string // why it failed, when no test of it says so
	failed  bool
	output  []string
}

// collector keeps what the events tell.
type collector struct {
	tests    map[name]*tested
	packages map[string]*pack
}

func newCollector() *collector {
	return &collector{tests: map[name]*tested{}, packages: map[string]*pack{}}
}

// pack returns a package by its folder.
func (c *collector) pack(folder string) *pack {
	if c.packages[folder] == nil {
		c.packages[folder] = &pack{}
	}
	return c.packages[folder]
}

// take keeps what one event of a package's tests says, and returns whether a top-level test has ended
// with it.
func (c *collector) take(folder string, e event) bool {
	p := c.pack(folder)
	if e.Test == "" {
		switch e.Action {
		case "output", "build-output":
			p.output = tail(p.output, e.Output)
		case "fail", "build-fail":
			p.failed = true
		}
		return false
	}
	key := name{folder, e.top()}
	t := c.tests[key]
	if t == nil {
		t = &tested{}
		c.tests[key] = t
	}
	switch e.Action {
	case "output":
		t.output = tail(t.output, e.Output)
	case "attr":
		if e.Key == seenKey && !slices.Contains(t.Seen, e.Value) {
			t.Seen = append(t.Seen, e.Value)
		}
	case "skip":
		t.Skipped = append(t.Skipped, e.Test)
	}
	if strings.Count(e.Test, "/") == 1 {
		t.parts += e.Elapsed
	}
	if e.Test == key.Test && (e.Action == "pass" || e.Action == "fail" || e.Action == "skip") {
		t.Ended, t.Seconds = e.Action, max(e.Elapsed, t.parts)
		return true
	}
	return false
}

// end says that a package's process has ended, with this error. Where no test of it has failed or was
// cut short, the failure is the package's own: it did not build, or failed outside its tests.
func (c *collector) end(folder string, err error) {
	p := c.pack(folder)
	p.Ended = true
	if err == nil && !p.failed {
		return
	}
	for key, t := range c.tests {
		if key.Package == folder && t.Ended != "pass" && t.Ended != "skip" {
			return
		}
	}
	p.Problem = "package " + folder + " failed outside its tests"
	if why := complaint(p.output); why != "" {
		p.Problem += ": " + why
	} else if err != nil {
		p.Problem += ": " + err.Error()
	}
}

// complaint is the first line of an output that is neither a heading nor a summary.
func complaint(output []string) string {
	for _, line := range output {
		line = strings.TrimSpace(line)
		first, _, _ := strings.Cut(line+" ", " ")
		first, _, _ = strings.Cut(first, "\t")
		if !slices.Contains([]string{"", "#", "FAIL", "PASS", "ok"}, first) {
			return line
		}
	}
	return ""
}

// tail adds a line and keeps the last ones.
func tail(lines []string, line string) []string {
	line = strings.TrimRight(line, "\n")
	if strings.HasPrefix(line, "=== ") {
		return lines // the course of the tests, which the events tell better
	}
	lines = append(lines, line)
	return lines[max(0, len(lines)-keptOutput):]
}
