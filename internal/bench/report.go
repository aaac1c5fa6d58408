package bench

import (
	"fmt"
	"strings"
	"time"
)

// Report is everything that one run measured.
type Report struct {
	At       time.Time  `json:"at"`
	Machine  string     `json:"machine"`
	Measures []*Measure `json:"measures"`
}

// Measure returns the row of that name, which is made if it is new.
func (r *Report) Measure(name, unit string) *Measure {
	for _, m := range r.Measures {
		if m.Name == name {
			return m
		}
	}
	m := &Measure{Name: name, Unit: unit}
	r.Measures = append(r.Measures, m)
	return m
}

// Markdown is the table.
func (r *Report) Markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "Measured %s on %s.\n\n", r.At.UTC().Format("2006-01-02 15:04"), r.Machine)
	b.WriteString("| measure | unit |")
	for _, side := range Sides() {
		fmt.Fprintf(&b, " %s |", side)
	}
	b.WriteString(" tutti ÷ bare | no mirror ÷ bare | tutti ÷ by hand |\n|---|---|" + strings.Repeat("--:|", len(Sides())+3) + "\n")
	for _, m := range r.Measures {
		fmt.Fprintf(&b, "| %s | %s |", m.Name, m.Unit)
		for _, side := range Sides() {
			fmt.Fprintf(&b, " %s |", number(m.Median(side)))
		}
		fmt.Fprintf(&b, " %s | %s | %s |\n", ratio(m.Ratio(Tutti, Bare)), ratio(m.Ratio(NoMirror, Bare)), ratio(m.Ratio(Tutti, ByHand)))
	}
	return b.String()
}

func number(value float64, ok bool) string {
	switch {
	case !ok:
		return "–"
	case value >= 100:
		return fmt.Sprintf("%.0f", value)
	default:
		return fmt.Sprintf("%.3g", value)
	}
}

func ratio(value float64, ok bool) string {
	if !ok {
		return "–"
	}
	return fmt.Sprintf("%.2f", value)
}
