package archtest

import (
	"go/ast"
	"slices"
	"strings"
)

// confinement says where a library may be imported: only there, and in the tests of those places
// or in any test when AnyTest is set.
type confinement struct {
	Library string // a path, or a path and /... for all below it
	Only    []string
	AnyTest bool
	Why     string
}

// confined are the libraries that have one place.
var confined = []confinement{
	{"github.com/jackc/pgx/v5/...", []string{"internal/store/postgres", "internal/testenv"}, true, "Postgres has one adapter"},
	{"modernc.org/sqlite/...", []string{"internal/store/sqlite"}, false, "SQLite has one adapter"},
	{"database/sql/...", []string{"internal/store/...", "internal/testenv"}, true, "only stores speak SQL"},
	{"github.com/pressly/goose/v3/...", []string{"internal/store/..."}, false, "migrations belong to the stores"},
	{"github.com/sashabaranov/go-openai/...", []string{"internal/provider/openai"}, false, "one dialect, one adapter"},
	{"github.com/anthropics/anthropic-sdk-go/...", []string{"internal/provider/anthropic"}, false, "one dialect, one adapter"},
	{"github.com/spf13/cobra/...", []string{"internal/cli"}, false, "only the command line knows its library"},
	{"github.com/spf13/pflag/...", []string{"internal/cli"}, false, "only the command line knows its library"},
	{"github.com/modelcontextprotocol/go-sdk/...", []string{"internal/mcp"}, true, "only the MCP server knows its library"},
	{"go.temporal.io/server/...", nil, false, "the server does not compile beside the SDK's API version"},
	{"testing/...", testSupport, true, "the product does not carry the test framework"},
	{"github.com/stretchr/testify/...", testSupport, true, "the product does not carry the test framework"},
	{"github.com/google/go-cmp/...", testSupport, true, "the product does not carry the test framework"},
	{"github.com/rogpeppe/go-internal/testscript/...", nil, true, "the product does not carry the test framework"},
	{"pgregory.net/rapid/...", nil, true, "the product does not carry the test framework"},
	{"go.uber.org/goleak/...", nil, true, "the product does not carry the test framework"},
}

// abstention says what a package does not import outside its tests.
type abstention struct {
	Packages []string
	Never    []string
	Why      string
}

// abstained are the packages that keep away from something.
var abstained = []abstention{
	{
		[]string{"workflows"},
		[]string{"os/...", "io/...", "net/...", "syscall/...", "math/rand/...", "crypto/rand", "encoding/json/...", "database/sql/...", "log/...", "sync/...", "github.com/jackc/...", "modernc.org/...", "github.com/goccy/..."},
		"workflow code is replayed: it may depend on nothing but its history",
	},
	{
		[]string{"internal/run"},
		[]string{"os/...", "io/...", "net/...", "syscall/...", "math/rand/...", "crypto/rand", "database/sql/...", "log/...", "sync/...", "context/..."},
		"the domain knows no technology",
	},
	{
		[]string{"internal/content", "internal/ledger", "internal/store/...", "internal/provider/...", "internal/chain", "internal/specialist", "internal/definition"},
		[]string{"go.temporal.io/..."},
		"ports take records and events, never a Temporal type, so that the evaluation composition uses them too",
	},
}

// standardOnly are packages that import the standard library and what arrows.go gives them.
var standardOnly = []string{"internal/run", "internal/txscope"}

func checkLibraries(tree *Tree) Report {
	var report Report
	for _, file := range tree.Files {
		report.Visited++
		file.imports(func(spec *ast.ImportSpec, library string) {
			for _, c := range confined {
				if within(library, []string{c.Library}) && !within(file.Folder, c.Only) && (!file.Test || !c.AnyTest) {
					report.add(tree, spec.Pos(), "%s imports %s: %s", file.Folder, library, c.Why)
				}
			}
			if file.Test {
				return
			}
			for _, a := range abstained {
				if within(file.Folder, a.Packages) && within(library, a.Never) {
					report.add(tree, spec.Pos(), "%s imports %s: %s", file.Folder, library, a.Why)
				}
			}
			if slices.Contains(standardOnly, file.Folder) && foreign(library) {
				report.add(tree, spec.Pos(), "%s imports %s: it needs nothing but the standard library", file.Folder, library)
			}
		})
	}
	return report
}

// foreign says whether an import is neither of the standard library nor our own: the first part of
// such a path is a host name.
func foreign(library string) bool {
	first, _, _ := strings.Cut(library, "/")
	return strings.Contains(first, ".") && !strings.HasPrefix(library, modulePath+"/")
}
