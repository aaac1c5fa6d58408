package certificate

import (
	"fmt"
	"slices"
	"strings"
)

// Scenario is one thing that must hold.
type Scenario struct {
	// ID is the scenario's number, such as C2a.
	ID string
	// Done says what is done, and Expected what must come of it.
	Done, Expected string
	// Quick puts it into the part that continuous integration runs.
	Quick bool
	// Tests prove it. A scenario without tests cannot pass.
	Tests []Tests
}

// Tests are some tests of one package.
type Tests struct {
	// Package is the folder, seen from the module's.
	Package string
	// Names are top-level tests.
	Names []string
}

// Selection says which scenarios to run: all, the quick ones, or some by their numbers.
type Selection struct {
	Quick bool
	Only  []string
}

// Select returns the chosen scenarios in the order of the certificate. One that is pending has no
// tests; the quick part is without them.
func Select(s Selection) ([]Scenario, error) {
	for _, id := range s.Only {
		switch {
		case slices.Contains(measured, id):
			return nil, fmt.Errorf("%s is measured, not certified; run: make bench", id)
		case !slices.Contains(ids, id):
			return nil, fmt.Errorf("there is no scenario %q; choose among %s", id, strings.Join(ids, ", "))
		}
	}
	var chosen []Scenario
	for _, scenario := range catalogue() {
		if len(s.Only) > 0 && !slices.Contains(s.Only, scenario.ID) || s.Quick && !scenario.Quick {
			continue
		}
		chosen = append(chosen, scenario)
	}
	return chosen, nil
}

// catalogue is every scenario, in order.
func catalogue() []Scenario {
	table := slices.Concat(crashes, hosts, promises)
	all := make([]Scenario, 0, len(ids))
	for _, id := range ids {
		scenario := Scenario{ID: id}
		if i := slices.IndexFunc(table, func(s Scenario) bool { return s.ID == id }); i >= 0 {
			scenario = table[i]
		}
		all = append(all, scenario)
	}
	return all
}

// byPackage gathers what the scenarios want tested, each test once, in the order in which packages
// and tests are first named.
func byPackage(scenarios []Scenario) []Tests {
	var packages []Tests
	for _, scenario := range scenarios {
		for _, wanted := range scenario.Tests {
			i := slices.IndexFunc(packages, func(t Tests) bool { return t.Package == wanted.Package })
			if i < 0 {
				i, packages = len(packages), append(packages, Tests{Package: wanted.Package})
			}
			for _, name := range wanted.Names {
				if !slices.Contains(packages[i].Names, name) {
					packages[i].Names = append(packages[i].Names, name)
				}
			}
		}
	}
	return packages
}
