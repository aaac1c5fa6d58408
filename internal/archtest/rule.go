package archtest

import (
	"fmt"
	"go/token"
)

// Rule is one thing that holds of the whole source.
type Rule struct {
	// Name is also the name of the rule's fixture below testdata.
	Name string
	// Why is the reason, which a failing test prints.
	Why string
	// Check looks at a tree.
	Check func(*Tree) Report
}

// Violation is one place where a rule does not hold.
type Violation struct {
	Path string
	Line int
	What string
}

// String gives the place as editors understand it, and what is wrong there.
func (v Violation) String() string {
	return fmt.Sprintf("%s:%d: %s", v.Path, v.Line, v.What)
}

// Report is what a rule found.
type Report struct {
	// Visited counts the files that the rule has really looked at.
	Visited    int
	Violations []Violation
}

func (r *Report) add(tree *Tree, pos token.Pos, format string, args ...any) {
	position := tree.Positions.Position(pos)
	r.Violations = append(r.Violations, Violation{position.Filename, position.Line, fmt.Sprintf(format, args...)})
}

// Rules returns every rule.
func Rules() []Rule {
	return []Rule{
		{"arrows", "A reader goes one way, from main down to the domain. An import that points up or " +
			"sideways makes two packages one; a package without a line in arrows.go has no place yet.", checkArrows},
		{"libraries", "A library that is imported in one place can be replaced there, and a package that " +
			"touches a technology is named after it.", checkLibraries},
		{"calls", "Workflow code and the domain give the same answer on every replay, so they read no clock; " +
			"the process edge (arguments, environment, streams, exit) is one place, so that the rest can be " +
			"tested side by side; a test waits for a condition, never for a length of time.", checkCalls},
		{"skips", "A skipped test looks like a passed one. What a test needs and does not find fails it, with " +
			"the command that installs it.", checkSkips},
		{"state", "A package variable that changes is shared by every test and every run of the process. Keep " +
			"it in a struct; a table, an error or a compiled pattern that nobody writes to is fine.", checkState},
		{"inits", "An init function runs before main, in an order that nobody reads, and cannot return an " +
			"error.", checkInits},
		{"length", "A file that does not fit in the head is two files.", checkLength},
		{"docs", "A package's comment says its words, its shape and its invariants before a reader meets the " +
			"code.", checkDocs},
		{"names", "A name such as util says where code was put and not what it does, so everything ends " +
			"up there.", checkNames},
		{"machines", "A path of one machine means nothing on another, and the project stands alone.", checkMachines},
	}
}
