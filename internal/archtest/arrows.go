package archtest

import (
	"slices"
	"strings"
)

// everything below, adapters apart, is what the packages that put things together may import.
const everything = "*"

// place is one package's place: it may import what it lists and nothing else of ours.
type place struct {
	Package string
	Imports []string
}

// places is the order of the packages, from main down to the domain: a package imports only what
// stands below it. Test files are free to import upwards from where they test, adapters apart.
var places = []place{
	{"cmd/tutti", []string{"internal/cli"}},
	{"internal/cli", []string{everything}},
	{"internal/mcp", []string{everything}},
	{"internal/app", []string{everything, "internal/store/...", "internal/provider/..."}},
	{"internal/doctor", []string{everything}},
	{"internal/projector", []string{"internal/kept", "internal/runs", "internal/store", "internal/ledger", "internal/telemetry", "internal/history", "internal/run", "internal/content"}},
	{"internal/runs", []string{"internal/store", "internal/ledger", "internal/telemetry", "internal/history", "internal/run", "internal/content"}},
	{"workflows", []string{"activities", "internal/history", "internal/run", "internal/content"}},
	{"activities", []string{"internal/kept", "internal/plan", "internal/provider", "internal/ledger", "internal/specialist", "internal/telemetry", "internal/history", "internal/run", "internal/content", "internal/txscope"}},
	{"internal/kept", []string{"internal/ledger", "internal/history", "internal/run", "internal/content"}},
	{"internal/plan", []string{"internal/price", "internal/provider", "internal/chain", "internal/specialist", "internal/history", "internal/run", "internal/content", "internal/canonical"}},

	// Adapters: each knows its port and the domain, and no other adapter.
	{"internal/provider/anthropic", []string{"internal/provider", "internal/run", "internal/content", "internal/txscope"}},
	{"internal/provider/providertest", []string{"internal/provider", "internal/provider/fakeprovider", "internal/run", "internal/content"}},
	{"internal/provider/demo", []string{"internal/provider", "internal/run", "internal/content", "internal/txscope"}},
	{"internal/provider/openai", []string{"internal/provider", "internal/run", "internal/content", "internal/txscope"}},
	{"internal/store/filesystem", []string{"internal/store", "internal/ledger", "internal/run", "internal/content", "internal/txscope"}},
	{"internal/store/memory", []string{"internal/store", "internal/ledger", "internal/run", "internal/content", "internal/txscope"}},
	{"internal/store/postgres", []string{"internal/store", "internal/store/columns", "internal/ledger", "internal/run", "internal/content", "internal/txscope"}},
	{"internal/store/sqlite", []string{"internal/store", "internal/store/columns", "internal/ledger", "internal/run", "internal/content", "internal/txscope"}},
	{"internal/store/storetest", []string{"internal/store", "internal/ledger", "internal/run", "internal/content", "internal/testenv"}},
	{"internal/store/columns", []string{"internal/store", "internal/ledger", "internal/run", "internal/content"}},

	// Ports and what stands beside them.
	{"internal/config", []string{"internal/store", "internal/provider", "internal/definition", "internal/run", "internal/content"}},
	{"internal/provider", []string{"internal/telemetry", "internal/run", "internal/content", "internal/txscope"}},
	{"internal/store", []string{"internal/ledger", "internal/run", "internal/content"}},
	{"internal/ledger", []string{"internal/run", "internal/content"}},
	{"internal/chain", []string{"internal/definition", "internal/canonical", "internal/run", "internal/content"}},
	{"internal/specialist", []string{"internal/definition", "internal/canonical", "internal/run", "internal/content"}},
	{"internal/price", []string{"internal/definition", "internal/canonical", "internal/run", "internal/content"}},
	{"internal/telemetry", []string{"internal/run"}},
	{"internal/history", []string{"internal/run", "internal/content"}},
	{"internal/definition", nil},

	// The domain and its leaves.
	{"internal/run", []string{"internal/content"}},
	{"internal/content", nil},
	{"internal/canonical", nil},
	{"internal/txscope", nil},

	// Beside the product: data for whoever starts a server, and support for tests.
	{"internal/bench", nil},
	{"internal/testenv", []string{"deploy"}},
	{"internal/provider/fakeprovider/cmd/fakeprovider", []string{"internal/provider/fakeprovider"}},
	{"internal/provider/fakeprovider", nil},
	{"cmd/certify", []string{"internal/certificate"}},
	{"internal/certificate", nil},
	{"internal/archtest", nil},
	{"deploy", nil},
}

// adapters are built in internal/app and in their own tests, and never import each other.
var adapters = []string{
	"internal/provider/anthropic", "internal/provider/demo", "internal/provider/openai",
	"internal/store/filesystem", "internal/store/memory", "internal/store/postgres", "internal/store/sqlite",
}

// testSupport is what only tests import, and what it is made of.
var testSupport = []string{
	"internal/bench", "internal/testenv", "internal/archtest", "internal/store/storetest", "internal/provider/providertest",
	"internal/provider/fakeprovider", "internal/provider/fakeprovider/cmd/fakeprovider",
}

func checkArrows(tree *Tree) Report {
	var report Report
	for _, file := range tree.Files {
		report.Visited++
		from := slices.IndexFunc(places, func(p place) bool { return p.Package == file.Folder })
		if from < 0 {
			report.add(tree, file.Syntax.Package, "package %s has no line in arrows.go", file.Folder)
			continue
		}
		for _, spec := range file.Syntax.Imports {
			target, ours := strings.CutPrefix(strings.Trim(spec.Path.Value, `"`), modulePath+"/")
			if !ours {
				continue
			}
			if reason := refuse(file, from, target); reason != "" {
				report.add(tree, spec.Pos(), "%s imports %s: %s", file.Folder, target, reason)
			}
		}
	}
	return report
}

// refuse says why a file may not import one of our packages, or nothing when it may.
func refuse(file *File, from int, target string) string {
	to := slices.IndexFunc(places, func(p place) bool { return p.Package == target })
	isAdapter := slices.Contains(adapters, target)
	switch {
	case file.Test && isAdapter && slices.Contains(adapters, file.Folder) && target != file.Folder:
		return "adapters do not know each other, in tests neither"
	case file.Test:
		return ""
	case slices.Contains(testSupport, target) && !slices.Contains(testSupport, file.Folder):
		return "it is support for tests, which only test files import"
	case to < 0:
		return "it has no line in arrows.go"
	case to <= from:
		return "arrows point down only, and it stands above"
	case within(target, places[from].Imports):
		return ""
	case slices.Contains(places[from].Imports, everything) && !isAdapter:
		return ""
	case isAdapter:
		return "adapters are built only in internal/app"
	default:
		return "it is not among what this package may import"
	}
}
