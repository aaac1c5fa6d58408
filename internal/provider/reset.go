package provider

import (
	"net/http"
	"strconv"
	"strings"
	"time"
)

// limitHeaders pairs the header that says how much of a limit remains with the
// one that says when it is reset.
func limitHeaders() [][2]string {
	return [][2]string{
		{"X-Ratelimit-Remaining-Requests", "X-Ratelimit-Reset-Requests"},
		{"X-Ratelimit-Remaining-Tokens", "X-Ratelimit-Reset-Tokens"},
		{"X-Ratelimit-Remaining", "X-Ratelimit-Reset"},
		{"Ratelimit-Remaining", "Ratelimit-Reset"},
		{"Anthropic-Ratelimit-Requests-Remaining", "Anthropic-Ratelimit-Requests-Reset"},
		{"Anthropic-Ratelimit-Tokens-Remaining", "Anthropic-Ratelimit-Tokens-Reset"},
		{"Anthropic-Ratelimit-Input-Tokens-Remaining", "Anthropic-Ratelimit-Input-Tokens-Reset"},
		{"Anthropic-Ratelimit-Output-Tokens-Remaining", "Anthropic-Ratelimit-Output-Tokens-Reset"},
	}
}

// exhaustedReset returns the longest wait until a limit that is used up is reset;
// a limit of which something remains says nothing about a wait.
func exhaustedReset(h http.Header, now time.Time) *time.Duration {
	var longest *time.Duration
	for _, pair := range limitHeaders() {
		if strings.TrimSpace(h.Get(pair[0])) != "0" {
			continue
		}
		d := resetTime(strings.TrimSpace(h.Get(pair[1])), now)
		if d != nil && *d > 0 && (longest == nil || *d > *longest) {
			longest = d
		}
	}
	return longest
}

// The forms of a reset time that are numbers: seconds to wait, a Unix time in
// seconds, one in milliseconds. Above a year of seconds it must be a date.
const (
	yearSeconds   = 366 * 24 * 3600
	unixMillisMin = 100_000_000_000
)

func resetTime(value string, now time.Time) *time.Duration {
	if n, err := strconv.ParseFloat(value, 64); err == nil {
		switch {
		case n >= unixMillisMin:
			return until(time.UnixMilli(int64(min(n, 1e15))), now)
		case n > yearSeconds:
			return until(time.Unix(int64(n), 0), now)
		}
		return waitOf(n, time.Second)
	}
	return retryAfter(value, now)
}
