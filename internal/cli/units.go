package cli

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/tutti-dev/tutti/internal/run"
)

// unknown stands where nothing is known, which is not the same as zero.
const unknown = "-"

// ageOf is how long ago something was, in its largest unit.
func ageOf(at *time.Time, now time.Time) string {
	if at == nil {
		return unknown
	}
	age := max(now.Sub(*at), 0)
	const day = 24 * time.Hour
	switch {
	case age < time.Minute:
		return strconv.Itoa(int(age.Seconds())) + "s"
	case age < time.Hour:
		return strconv.Itoa(int(age.Minutes())) + "m"
	case age < 2*day:
		return strconv.Itoa(int(age.Hours())) + "h"
	}
	return strconv.Itoa(int(age/day)) + "d"
}

// lengthOf is the time between two moments, as long as both are known.
func lengthOf(from, to *time.Time) string {
	if from == nil || to == nil {
		return unknown
	}
	took := max(to.Sub(*from), 0)
	switch {
	case took < time.Second:
		return strconv.FormatInt(took.Milliseconds(), 10) + "ms"
	case took < time.Minute:
		return strconv.FormatFloat(took.Seconds(), 'f', 1, 64) + "s"
	}
	return took.Round(time.Second).String()
}

// moment is a point in time in the reader's zone.
func moment(at *time.Time, zone *time.Location) string {
	if at == nil {
		return unknown
	}
	return at.In(zone).Format(time.DateTime)
}

// tokensOf is what was read and written: `120 in, 45 out`.
func tokensOf(u run.Usage) string {
	var parts []string
	add := func(n *int64, of string) {
		if n != nil {
			parts = append(parts, strconv.FormatInt(*n, 10)+" "+of)
		}
	}
	add(u.InputTokens, "in")
	add(u.OutputTokens, "out")
	if len(parts) == 0 {
		return unknown
	}
	return strings.Join(parts, ", ")
}

// usageOf is everything that a run used, in words.
func usageOf(u run.Usage) string {
	parts := []string{tokensOf(u) + " tokens"}
	if u.InputTokens == nil && u.OutputTokens == nil {
		parts = []string{"unknown"}
	}
	if u.CostUSD != nil {
		parts = append(parts, "$"+*u.CostUSD)
	}
	if u.UnpricedCalls > 0 {
		parts = append(parts, fmt.Sprintf("%d calls without a price", u.UnpricedCalls))
	}
	if u.CallsUncertain > 0 {
		parts = append(parts, fmt.Sprintf("%d calls of which nobody knows whether they were answered", u.CallsUncertain))
	}
	return strings.Join(parts, ", ")
}
