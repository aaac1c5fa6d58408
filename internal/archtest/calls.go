package archtest

import (
	"go/ast"
	"slices"
)

// ban says which names of a standard package are not used, and where they are all the same.
type ban struct {
	Package string
	Names   []string
	// In lists where the ban holds; nothing means everywhere.
	In []string
	// Except lists where it does not hold: folders, or single files.
	Except []string
	// Tests says whether it holds for test files too.
	Tests bool
	Why   string
}

// edge is where the process meets its arguments, environment and streams: packages, or single files.
// The fake provider is a program of its own, and the store suite starts its test binary again, both
// for tests that kill a process.
var edge = []string{
	"cmd/tutti", "cmd/certify", "internal/cli/process.go", "internal/app", "internal/config",
	"internal/testenv", "internal/provider/fakeprovider/...", "internal/store/storetest/child.go",
}

// ends are the files that end their process.
var ends = []string{
	"cmd/tutti/main.go", "cmd/certify/main.go",
	"internal/provider/fakeprovider/cmd/fakeprovider/main.go", "internal/store/storetest/child.go",
}

// pure is where the same input gives the same output, always.
var pure = []string{"workflows", "internal/run", "internal/content", "internal/history", "internal/chain", "internal/specialist"}

// bans are the names that most code does not use.
var bans = []ban{
	{
		Package: "time", Names: []string{"Now", "Since", "Until", "After", "AfterFunc", "Tick", "NewTimer", "NewTicker"},
		In: pure, Why: "times come from events and the workflow task's start",
	},
	{Package: "time", Names: []string{"Sleep"}, Tests: true, Why: "wait for a condition or for the context"},
	{Package: "os", Names: []string{"Exit"}, Except: ends, Tests: true, Why: "only main.go ends the process"},
	{
		Package: "os", Names: []string{
			"Args", "Stdin", "Stdout", "Stderr", "Environ", "Getenv", "LookupEnv", "ExpandEnv", "Setenv",
			"Unsetenv", "Clearenv", "Getwd", "UserHomeDir", "UserConfigDir", "UserCacheDir",
		},
		Except: edge, Why: "the edge hands it down",
	},
	{Package: "log", Names: []string{"Fatal", "Fatalf", "Fatalln", "Panic", "Panicf", "Panicln"}, Tests: true, Why: "only main.go ends the process"},
}

func checkCalls(tree *Tree) Report {
	var report Report
	for _, checked := range typed(tree) {
		for _, file := range checked.files {
			report.Visited++
			ast.Inspect(file.Syntax, func(node ast.Node) bool {
				selector, ok := node.(*ast.SelectorExpr)
				if !ok {
					return true
				}
				used := checked.packageOf(selector.X)
				for _, b := range bans {
					if b.Package == used && slices.Contains(b.Names, selector.Sel.Name) && b.holds(file) {
						report.add(tree, selector.Pos(), "%s uses %s.%s: %s", file.Folder, used, selector.Sel.Name, b.Why)
					}
				}
				return true
			})
		}
	}
	return report
}

func (b ban) holds(file *File) bool {
	if file.Test && !b.Tests {
		return false
	}
	if within(file.Folder, b.Except) || slices.Contains(b.Except, file.Path) {
		return false
	}
	return len(b.In) == 0 || within(file.Folder, b.In)
}

// skips are the methods by which a test leaves without a verdict.
var skips = []string{"Skip", "Skipf", "SkipNow"}

func checkSkips(tree *Tree) Report {
	var report Report
	for _, file := range tree.Files {
		if !file.Test && !slices.Contains(testSupport, file.Folder) {
			continue
		}
		report.Visited++
		ast.Inspect(file.Syntax, func(node ast.Node) bool {
			call, ok := node.(*ast.CallExpr)
			if !ok {
				return true
			}
			if selector, ok := call.Fun.(*ast.SelectorExpr); ok && slices.Contains(skips, selector.Sel.Name) {
				report.add(tree, selector.Pos(), "a test is skipped")
			}
			return true
		})
	}
	return report
}
