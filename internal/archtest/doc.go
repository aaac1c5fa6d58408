// Package archtest keeps the shape of the code: its tests read every source file of the module and
// hold it against rules.
//
// Vocabulary: a tree is the module's files, parsed; a rule looks at a tree and reports violations;
// the reason of a rule is what a failing test prints, so that nobody has to look for it; a fixture
// is a small tree below testdata that a rule must reject.
//
//	files ──Load──▶ Tree ──Rule.Check──▶ Report{Visited, Violations}
//
// Invariants: a rule is data in one table ([Rules]); every rule has a fixture; a rule that visited
// no file has failed, because then it proves nothing.
//
// To add a package, give it a line in arrows.go. To allow a library in a package, extend the line
// in libraries.go. To add a rule, add it to [Rules] and give it a fixture of its own name.
package archtest
