package cli

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// parseSince reads a moment in the past: how long ago it was, a date where the
// reader's clock stands, or a time. An empty word is the zero time.
func parseSince(word string, now time.Time) (time.Time, error) {
	if word == "" {
		return time.Time{}, nil
	}
	if ago, ok := parseAgo(word); ok {
		return now.Add(-ago), nil
	}
	for _, layout := range []string{time.RFC3339, time.DateOnly} {
		if at, err := time.ParseInLocation(layout, word, now.Location()); err == nil {
			return at, nil
		}
	}
	return time.Time{}, usage(fmt.Sprintf("--since %q is neither a duration nor a date", word),
		"write it like 24h, 7d, 2026-01-31 or 2026-01-31T12:00:00Z")
}

// parseAgo reads a duration, which may be in days.
func parseAgo(word string) (time.Duration, bool) {
	const most = 100 * 365 // days
	if days, ok := strings.CutSuffix(word, "d"); ok {
		n, err := strconv.Atoi(days)
		return time.Duration(n) * 24 * time.Hour, err == nil && n >= 0 && n <= most
	}
	ago, err := time.ParseDuration(word)
	return ago, err == nil && ago >= 0
}
