package bench

import "slices"

// Side is one way to execute a chain.
type Side string

// The sides, in the order of the table.
const (
	Tutti    Side = "tutti"
	NoMirror Side = "tutti-no-mirror"
	Bare     Side = "bare"
	ByHand   Side = "by-hand"
)

// Sides lists all sides.
func Sides() []Side { return []Side{Tutti, NoMirror, Bare, ByHand} }

// Measure is one row of the table.
type Measure struct {
	Name string `json:"name"`
	Unit string `json:"unit"`
	// MoreIsBetter says so of a rate.
	MoreIsBetter bool `json:"moreIsBetter,omitempty"`
	// Samples holds a number of each round, by side.
	Samples map[Side][]float64 `json:"samples"`
}

// Add notes a number.
func (m *Measure) Add(side Side, value float64) {
	if m.Samples == nil {
		m.Samples = make(map[Side][]float64)
	}
	m.Samples[side] = append(m.Samples[side], value)
}

// Median is the middle of a side's numbers, and false where it has none.
func (m *Measure) Median(side Side) (float64, bool) { return median(m.Samples[side]) }

// Ratio is how many times as much a side costs as another: the median of the rounds' ratios. For a
// rate it is turned round, so that above one is always worse.
func (m *Measure) Ratio(side, beside Side) (float64, bool) {
	var ratios []float64
	for i := range min(len(m.Samples[side]), len(m.Samples[beside])) {
		a, b := m.Samples[side][i], m.Samples[beside][i]
		if m.MoreIsBetter {
			a, b = b, a
		}
		if b == 0 {
			return 0, false
		}
		ratios = append(ratios, a/b)
	}
	return median(ratios)
}

func median(values []float64) (float64, bool) {
	if len(values) == 0 {
		return 0, false
	}
	sorted := slices.Sorted(slices.Values(values))
	middle := len(sorted) / 2
	if len(sorted)%2 == 1 {
		return sorted[middle], true
	}
	return (sorted[middle-1] + sorted[middle]) / 2, true
}
