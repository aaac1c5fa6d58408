package price

import (
	"errors"
	"fmt"
	"math/big"
	"strings"
	"time"

	"github.com/tutti-dev/tutti/internal/definition"
	"github.com/tutti-dev/tutti/internal/run"
)

// formatVersion is the version of the file's form that this binary reads.
const formatVersion = "1"

// The sizes of an amount: beyond them a figure is a mistake, and within them
// every cost is exact in the 18 decimals that costs are kept in.
const (
	maxWholeDigits = 9
	maxDecimals    = 9
)

const exampleEntry = `- {provider: openai, model: gpt-5, input: "1.25", output: "10"}`

// Parse reads a file of prices. The error is a *definition.InvalidError that
// names every line that is wrong.
func Parse(label string, data []byte) ([]Entry, error) {
	if err := definition.CheckText(label, data); err != nil {
		return nil, err
	}
	var report definition.Report
	node, err := definition.ParseYAML(data, 1)
	var syntax *definition.SyntaxError
	if errors.As(err, &syntax) {
		report.Add(syntax.Pos, syntax.Message, "write YAML: prices: and a list of entries")
		return nil, report.Err(label)
	}
	f := file{report: &report, seen: make(map[string]int)}
	entries := f.top(node)
	if err := report.Err(label); err != nil {
		return nil, err
	}
	return entries, nil
}

// file is a file of prices as it is read.
type file struct {
	report *definition.Report
	seen   map[string]int // the line of each provider and model
}

func (f *file) top(node definition.Node) (entries []Entry) {
	if node.Kind != definition.Map {
		f.report.Add(node.Pos, "the file is not a list of prices", "begin with prices: and write entries below, like "+exampleEntry)
		return nil
	}
	for _, field := range f.report.Duplicates(node.Fields) {
		switch field.Key {
		case "version":
			if field.Value.Text != formatVersion {
				f.report.Add(field.Value.Pos, "version "+definition.Quote(field.Value.Text)+" is not known", "write version: "+formatVersion)
			}
		case "prices":
			entries = f.list(field)
		default:
			f.report.UnknownKey(field, []string{"version", "prices"})
		}
	}
	return entries
}

func (f *file) list(field definition.Field) (entries []Entry) {
	if field.Value.Kind != definition.List {
		f.report.Add(field.Value.Pos, "prices must be a list", "write entries like "+exampleEntry)
		return nil
	}
	for _, item := range field.Value.Items {
		if item.Kind != definition.Map {
			f.report.Add(item.Pos, "an entry is not a mapping", "write it like "+exampleEntry)
			continue
		}
		entry := f.entry(item)
		key := entry.Provider + " " + entry.Model
		if line, twice := f.seen[key]; twice && entry.Model != "" {
			f.report.Add(item.Pos, fmt.Sprintf("%s of provider %s stands twice (first on line %d)",
				definition.Quote(entry.Model), definition.Quote(entry.Provider), line), "keep one of them")
			continue
		}
		f.seen[key] = item.Line
		entries = append(entries, entry)
	}
	return entries
}

func keys() []string {
	return []string{"provider", "model", "input", "cached", "cacheWrite", "output", "reasoning", "asOf", "source"}
}

func (f *file) entry(node definition.Node) Entry {
	var e Entry
	amounts := map[string]*string{
		"input": &e.Input, "cached": &e.Cached, "cacheWrite": &e.CacheWrite, "output": &e.Output, "reasoning": &e.Reasoning,
	}
	given := make(map[string]bool)
	for _, field := range f.report.Duplicates(node.Fields) {
		given[field.Key] = true
		switch amount, isAmount := amounts[field.Key]; {
		case isAmount:
			*amount = f.amount(field)
		case field.Key == "provider":
			e.Provider = f.report.Text(field)
		case field.Key == "model":
			e.Model = f.model(field)
		case field.Key == "asOf":
			e.AsOf = f.day(field)
		case field.Key == "source":
			e.Source = f.report.Text(field)
		default:
			f.report.UnknownKey(field, keys())
		}
	}
	for _, needed := range []string{"provider", "model", "input", "output"} {
		if !given[needed] {
			f.report.Add(node.Pos, "the entry has no "+needed, "write it like "+exampleEntry)
		}
	}
	return e
}

func (f *file) model(field definition.Field) string {
	model := f.report.Text(field)
	if strings.Contains(strings.TrimSuffix(model, "*"), "*") {
		f.report.Add(field.Value.Pos, "a star stands only at the end of a model", "write the beginning of the names and a star, or the whole name")
	}
	return model
}

// amount reads a decimal as it is written, in quotes or not, and writes it
// without needless zeros, so that one amount has one form.
func (f *file) amount(field definition.Field) string {
	text := field.Value.Text
	whole, decimals, _ := strings.Cut(text, ".")
	scalar := field.Value.Kind == definition.Text || field.Value.Kind == definition.Number
	if !scalar || !digits(whole, maxWholeDigits) || (decimals != "" || strings.Contains(text, ".")) && !digits(decimals, maxDecimals) {
		f.report.Add(field.Value.Pos, fmt.Sprintf("%s cannot be %s", field.Key, definition.Quote(text)),
			fmt.Sprintf("write US dollars per million tokens, like \"1.25\", with at most %d decimals", maxDecimals))
		return ""
	}
	r, _ := new(big.Rat).SetString(text) // digits and a point always read
	return run.Decimal(r)
}

func digits(s string, most int) bool {
	return s != "" && len(s) <= most && strings.Trim(s, "0123456789") == ""
}

func (f *file) day(field definition.Field) string {
	if _, err := time.Parse(time.DateOnly, field.Value.Text); err != nil {
		f.report.Add(field.Value.Pos, "asOf is not a day", `write it like "2026-01-31"`)
		return ""
	}
	return field.Value.Text
}
