package price_test

import (
	"math/big"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/definition"
	"github.com/tutti-dev/tutti/internal/price"
	"github.com/tutti-dev/tutti/internal/run"
)

func load(t *testing.T, work, config string) *price.Book {
	t.Helper()
	dirs := definition.Dirs{ConfigLabel: "config"}
	if work != "" {
		dirs.Work = fstest.MapFS{".tutti/prices.yaml": {Data: []byte(work)}}
	}
	if config != "" {
		dirs.Config = fstest.MapFS{"prices.yaml": {Data: []byte(config)}, "tutti.yaml": {Data: []byte("mode: solo")}}
	}
	b, err := price.Load(dirs)
	require.NoError(t, err)
	return b
}

func TestTheBuiltInFileIsWhole(t *testing.T) {
	t.Parallel()
	entries := load(t, "", "").Entries()
	require.Greater(t, len(entries), 60)
	dollar := int64(1_000_000)
	for _, e := range entries {
		require.True(t, strings.HasPrefix(e.Source, "https://"), e.Model)
		day, err := time.Parse(time.DateOnly, e.AsOf)
		require.NoError(t, err, e.Model)
		require.False(t, day.IsZero())
		p := run.Price{Input: e.Input, Cached: e.Cached, CacheWrite: e.CacheWrite, Output: e.Output, Reasoning: e.Reasoning}
		cost, err := p.Cost(run.Usage{InputTokens: &dollar, OutputTokens: &dollar})
		require.NoError(t, err, e.Model)
		require.LessOrEqual(t, cost.Cmp(big.NewRat(1000, 1)), 0, "%s: a figure over any list price", e.Model)
		require.Equal(t, e.Provider == "demo", cost.Sign() == 0, "%s: only the demo is free", e.Model)
	}
}

func TestAModelWithoutAnEntryHasNoPrice(t *testing.T) {
	t.Parallel()
	b := load(t, "", "")
	for provider, model := range map[string]string{"ollama": "llama3.2", "openai": "gpt-5-unheard-of", "nobody": "gpt-5", "openrouter": "openai/gpt-5:online"} {
		_, ok := b.For(provider, model)
		require.False(t, ok, "%s %s", provider, model)
	}
	free, ok := b.For("demo", "anything")
	require.True(t, ok)
	require.Equal(t, "0", free.Input)
	_, ok = (&price.Book{}).For("demo", "anything")
	require.False(t, ok)
}

func TestNamesAndBeginnings(t *testing.T) {
	t.Parallel()
	b := load(t, `
prices:
  - {provider: p, model: "m*", input: 1, output: 1}
  - {provider: p, model: "m-large*", input: 2, output: 2}
  - {provider: p, model: m-large, input: 3.50, output: "4.0", reasoning: "5"}
  - {provider: q, model: "*", input: 9, output: 9}
`, "")
	for model, want := range map[string]string{"m": "1", "m-small": "1", "m-large-2026": "2", "m-large": "3.5"} {
		p, ok := b.For("p", model)
		require.True(t, ok, model)
		require.Equal(t, want, p.Input, model)
		require.True(t, strings.HasPrefix(p.ID, "p/"+model+"@"), p.ID)
	}
	p, _ := b.For("p", "m-large")
	require.Equal(t, run.Price{ID: p.ID, Input: "3.5", Output: "4", Reasoning: "5"}, p)
	_, ok := b.For("p", "other")
	require.False(t, ok)
}

func TestTheNearestFileDecides(t *testing.T) {
	t.Parallel()
	const sonnet = "claude-sonnet-4-5"
	builtIn, ok := load(t, "", "").For("anthropic", sonnet)
	require.True(t, ok)
	users, _ := load(t, "", `prices: [{provider: anthropic, model: "claude-*", input: "2", output: "8"}]`).For("anthropic", sonnet)
	require.Equal(t, "2", users.Input, "also by a beginning of the name")
	projects, _ := load(t, `prices: [{provider: anthropic, model: "claude-*", input: "1", output: "8"}]`,
		`prices: [{provider: anthropic, model: claude-sonnet-4-5, input: "2", output: "8"}]`).For("anthropic", sonnet)
	require.Equal(t, "1", projects.Input)
	require.NotEqual(t, builtIn.ID, users.ID)
	require.NotEqual(t, users.ID, projects.ID)
}

// TestAPriceIsNamedByItsContent pins the digest: rows of price tables are named by it.
func TestAPriceIsNamedByItsContent(t *testing.T) {
	t.Parallel()
	one, _ := load(t, `prices: [{provider: p, model: m, input: 5, cached: 0.5, cacheWrite: 6.25, output: 25, reasoning: 30}]`, "").For("p", "m")
	two, _ := load(t, "", `prices: [{model: "m*", output: "25.00", reasoning: "30", provider: p, input: "5.0", cached: "0.50", cacheWrite: "6.250", asOf: "2026-01-31", source: somewhere}]`).For("p", "m")
	require.Equal(t, one, two, "the same amounts, however written")
	require.Equal(t, "p/m@83376f99da17", one.ID)
}

func TestWhatIsWrongIsNamedByItsLine(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ file, says string }{
		"unknown key":     {"prices:\n  - {provider: p, model: m, input: 1, output: 1, currency: EUR}", `2:50: unknown key "currency"`},
		"top key":         {"price: []", `1:1: unknown key "price"; did you mean prices?`},
		"no amount":       {"prices:\n  - {provider: p, model: m, input: 1}", "2:5: the entry has no output"},
		"a negative":      {"prices:\n  - provider: p\n    model: m\n    input: -1\n    output: 1", `4:12: input cannot be "-1"`},
		"an exponent":     {"prices: [{provider: p, model: m, input: 1e3, output: 1}]", `input cannot be "1e3"`},
		"a point alone":   {`prices: [{provider: p, model: m, input: "1.", output: 1}]`, `input cannot be "1."`},
		"too exact":       {"prices: [{provider: p, model: m, input: 0.0000000001, output: 1}]", "at most 9 decimals"},
		"a list":          {"prices: [{provider: p, model: m, input: [1], output: 1}]", "input cannot be"},
		"a star inside":   {`prices: [{provider: p, model: "a*b", input: 1, output: 1}]`, "a star stands only at the end"},
		"twice":           {"prices:\n  - {provider: p, model: m, input: 1, output: 1}\n  - {provider: p, model: m, input: 2, output: 1}", `3:5: "m" of provider "p" stands twice (first on line 2)`},
		"no day":          {"prices: [{provider: p, model: m, input: 1, output: 1, asOf: soon}]", "asOf is not a day"},
		"another version": {"version: 2\nprices: []", `1:10: version "2" is not known`},
		"no mapping":      {"- a", "the file is not a list of prices"},
		"no list":         {"prices: 3", "prices must be a list"},
		"a word":          {"prices: [gpt-5]", "an entry is not a mapping"},
		"no YAML":         {"prices: [", "prices.yaml:"},
		"NUL":             {"prices: \x00", "NUL"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := price.Load(definition.Dirs{Work: fstest.MapFS{".tutti/prices.yaml": {Data: []byte(c.file)}}})
			var invalid *definition.InvalidError
			require.ErrorAs(t, err, &invalid)
			require.Equal(t, ".tutti/prices.yaml", invalid.File)
			require.ErrorContains(t, err, c.says)
		})
	}
}

func TestAFileThatCannotBeReadIsAnError(t *testing.T) {
	t.Parallel()
	for name, files := range map[string]fstest.MapFS{
		"a folder":  {".tutti/prices.yaml/x": {}},
		"too large": {".tutti/prices.yaml": {Data: make([]byte, definition.MaxFileBytes+1)}},
	} {
		_, err := price.Load(definition.Dirs{Work: files})
		var invalid *definition.InvalidError
		require.ErrorAs(t, err, &invalid, name)
	}
}
