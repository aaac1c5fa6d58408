package provider

import (
	"math"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// maxWait bounds an advised wait, so that a nonsensical one does not overflow.
const maxWait = 10 * 365 * 24 * time.Hour

// advisedWait reads the wait that a refusing answer advises: retry-after-ms, then
// Retry-After in seconds or as a date, then what the body says, then the reset
// times of the limits that are used up. Dates count from the server's own Date
// where it gave one, so that a wrong clock here changes nothing.
func advisedWait(h http.Header, c *complaint, received time.Time) *time.Duration {
	now := received
	if date, err := http.ParseTime(h.Get("Date")); err == nil {
		now = date
	}
	if ms, err := strconv.ParseFloat(strings.TrimSpace(h.Get("Retry-After-Ms")), 64); err == nil {
		if d := waitOf(ms, time.Millisecond); d != nil {
			return d
		}
	}
	if d := retryAfter(h.Get("Retry-After"), now); d != nil {
		return d
	}
	if c.wait != nil {
		return c.wait
	}
	if d := waitInProse(c.prose.String()); d != nil {
		return d
	}
	return exhaustedReset(h, now)
}

func retryAfter(value string, now time.Time) *time.Duration {
	value = strings.TrimSpace(value)
	if seconds, err := strconv.ParseFloat(value, 64); err == nil {
		return waitOf(seconds, time.Second)
	}
	if date, err := http.ParseTime(value); err == nil {
		return until(date, now)
	}
	if date, err := time.Parse(time.RFC3339, value); err == nil {
		return until(date, now)
	}
	if d, err := time.ParseDuration(value); err == nil {
		return waitOf(d.Seconds(), time.Second)
	}
	return nil
}

// waitOf makes a duration of a number that a server sent; negative is no advice.
func waitOf(n float64, unit time.Duration) *time.Duration {
	if math.IsNaN(n) || n < 0 {
		return nil
	}
	d := maxWait
	if n < float64(maxWait)/float64(unit) {
		d = time.Duration(math.Round(n * float64(unit)))
	}
	return &d
}

func until(date, now time.Time) *time.Duration {
	d := min(max(date.Sub(now), 0), maxWait).Round(time.Millisecond)
	return &d
}

// noteWait reads a wait from a member of an error body. google.rpc.RetryInfo calls
// it retryDelay, others retry_after; gateways copy the headers into metadata.
func (c *complaint) noteWait(key string, member Node) {
	if c.wait != nil {
		return
	}
	switch strings.ToLower(strings.NewReplacer("_", "", "-", "").Replace(key)) {
	case "retrydelay", "retryafter", "retryafterseconds":
		c.wait = waitMember(member, time.Second)
	case "retryafterms":
		c.wait = waitMember(member, time.Millisecond)
	}
}

func waitMember(member Node, unit time.Duration) *time.Duration {
	if n, ok := member.Number(); ok {
		return waitOf(n, unit)
	}
	if d, err := time.ParseDuration(member.Text()); err == nil {
		return waitOf(d.Seconds(), time.Second)
	}
	if seconds, ok := member.Get("seconds").Number(); ok {
		return waitOf(seconds, time.Second)
	}
	return nil
}

const proseWaitPattern = `(?:try again|retry|wait|available again)\s*(?:in|after|for)?\s+(?:(\d+(?:\.\d+)?)\s*(milliseconds?|ms|seconds?|secs?|minutes?|mins?|hours?)\b|((?:\d+h)?(?:\d+m)?\d+(?:\.\d+)?(?:ms|s)))`

// waitInProse finds "try again in 4.77s", "retry after 2 seconds" and the like in
// lower-cased prose.
func waitInProse(prose string) *time.Duration {
	if !strings.Contains(prose, "again") && !strings.Contains(prose, "retry") && !strings.Contains(prose, "wait") {
		return nil
	}
	m := regexp.MustCompile(proseWaitPattern).FindStringSubmatch(prose)
	if m == nil {
		return nil
	}
	if m[3] != "" {
		d, err := time.ParseDuration(m[3])
		if err != nil {
			return nil
		}
		return waitOf(d.Seconds(), time.Second)
	}
	n, err := strconv.ParseFloat(m[1], 64)
	if err != nil {
		return nil
	}
	return waitOf(n, unitOf(m[2]))
}

func unitOf(word string) time.Duration {
	switch {
	case strings.HasPrefix(word, "ms"), strings.HasPrefix(word, "milli"):
		return time.Millisecond
	case strings.HasPrefix(word, "min"):
		return time.Minute
	case strings.HasPrefix(word, "hour"):
		return time.Hour
	}
	return time.Second
}
