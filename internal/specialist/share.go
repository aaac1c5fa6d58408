package specialist

import (
	"cmp"
	"slices"
	"unicode/utf8"
)

// shares divides a budget among texts of these sizes: a text below its fair
// share goes in whole, and what it leaves is divided among the larger ones. The
// shares never add up to more than the budget and depend on the sizes alone.
func shares(sizes []int, budget int) []int {
	order := make([]int, len(sizes))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(sizes[a], sizes[b]) })
	given := make([]int, len(sizes))
	for done, i := range order {
		fair := budget / (len(order) - done)
		given[i] = min(sizes[i], fair)
		budget -= given[i]
	}
	return given
}

// cut returns the beginning of a text, at most limit bytes and whole characters.
func cut(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	for limit > 0 && !utf8.RuneStart(text[limit]) {
		limit--
	}
	return text[:limit]
}
