package provider_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/provider"
)

func unread(provider.Body) (provider.Reading, bool) { return provider.Reading{}, false }

// advised returns the wait that an answer advises.
func advised(status int, body string, headers ...string) *time.Duration {
	h := http.Header{}
	for i := 0; i < len(headers); i += 2 {
		h.Set(headers[i], headers[i+1])
	}
	at := time.Date(2025, 1, 1, 12, 0, 0, 0, time.UTC)
	x := provider.Exchange{Status: status, Header: h, Body: []byte(body), ReceivedAt: at}
	return provider.Judge(x, provider.Endpoint{}, provider.Request{}, unread).RetryAfter
}

func TestAdvisedWait(t *testing.T) {
	t.Parallel()
	wait := func(d time.Duration) *time.Duration { return &d }
	for _, c := range []struct {
		name    string
		status  int
		body    string
		headers []string
		want    *time.Duration
	}{
		{"none", 429, "", nil, nil},
		{"seconds", 429, "", []string{"Retry-After", " 5 "}, wait(5 * time.Second)},
		{"zero is an advice", 429, "", []string{"Retry-After", "0"}, wait(0)},
		{"milliseconds win", 429, "", []string{"Retry-After", "5", "Retry-After-Ms", "250"}, wait(250 * time.Millisecond)},
		{"bad milliseconds do not", 429, "", []string{"Retry-After", "5", "Retry-After-Ms", "x"}, wait(5 * time.Second)},
		{"negative is none", 429, "", []string{"Retry-After", "-5"}, nil},
		{"words are none", 429, "", []string{"Retry-After", "later"}, nil},
		{"nan is none", 429, "", []string{"Retry-After", "NaN"}, nil},
		{"duration", 429, "", []string{"Retry-After", "1m30s"}, wait(90 * time.Second)},
		{"date", 429, "", []string{"Retry-After", "Wed, 01 Jan 2025 12:00:30 GMT"}, wait(30 * time.Second)},
		{"date by the server's clock", 429, "", []string{"Retry-After", "Wed, 01 Jan 2025 15:00:30 GMT", "Date", "Wed, 01 Jan 2025 15:00:00 GMT"}, wait(30 * time.Second)},
		{"beyond all bounds", 429, "", []string{"Retry-After", "1e300"}, wait(10 * 365 * 24 * time.Hour)},
		{"on other classes only spelled out", 401, "please retry in 5 seconds", nil, nil},
		{"spelled out on any class", 401, "", []string{"Retry-After", "5"}, wait(5 * time.Second)},
		{"seconds in the body", 429, `{"error":{"retry_after":3}}`, nil, wait(3 * time.Second)},
		{"RetryInfo with fraction", 429, `[{"error":{"details":[{"retryDelay":"6.25s"}]}}]`, nil, wait(6250 * time.Millisecond)},
		{"RetryInfo as object", 429, `{"error":{"details":[{"retryDelay":{"seconds":"7"}}]}}`, nil, wait(7 * time.Second)},
		{"prose in ms", 429, `{"error":{"message":"Please try again in 684ms."}}`, nil, wait(684 * time.Millisecond)},
		{"prose in seconds", 429, `{"error":{"message":"Please retry in 44.337s."}}`, nil, wait(44337 * time.Millisecond)},
		{"prose in minutes", 503, `try again in 2 minutes`, nil, wait(2 * time.Minute)},
		{"prose in hours", 429, `{"error":{"message":"try again in 1h2m3s"}}`, nil, wait(time.Hour + 2*time.Minute + 3*time.Second)},
		{"prose without a time", 429, `{"error":{"message":"try again later"}}`, nil, nil},
		{"reset while something remains", 429, "", []string{"X-Ratelimit-Remaining", "3", "X-Ratelimit-Reset", "60"}, nil},
		{"reset in seconds", 429, "", []string{"X-Ratelimit-Remaining", "0", "X-Ratelimit-Reset", "60"}, wait(time.Minute)},
		{"reset in Unix seconds", 429, "", []string{"X-Ratelimit-Remaining", "0", "X-Ratelimit-Reset", "1735732815"}, wait(15 * time.Second)},
		{"reset in Unix milliseconds", 429, "", []string{"X-Ratelimit-Remaining", "0", "X-Ratelimit-Reset", "1735732815000"}, wait(15 * time.Second)},
		{"reset as duration", 429, "", []string{"X-Ratelimit-Remaining-Tokens", "0", "X-Ratelimit-Reset-Tokens", "2m59.56s"}, wait(179560 * time.Millisecond)},
		{"reset at zero", 429, "", []string{"X-Ratelimit-Remaining-Tokens", "0", "X-Ratelimit-Reset-Tokens", "0"}, nil},
		{"the longer reset", 429, "", []string{
			"Anthropic-Ratelimit-Requests-Remaining", "0", "Anthropic-Ratelimit-Requests-Reset", "2025-01-01T12:00:05Z",
			"Anthropic-Ratelimit-Tokens-Remaining", "0", "Anthropic-Ratelimit-Tokens-Reset", "2025-01-01T12:00:09Z",
		}, wait(9 * time.Second)},
	} {
		require.Equal(t, c.want, advised(c.status, c.body, c.headers...), c.name)
	}
}

func TestLongQuotaBecomesARateLimitWhenTheWaitIsShort(t *testing.T) {
	t.Parallel()
	class := func(body string, headers ...string) provider.Class {
		h := http.Header{}
		for i := 0; i < len(headers); i += 2 {
			h.Set(headers[i], headers[i+1])
		}
		x := provider.Exchange{Status: 429, Header: h, Body: []byte(body)}
		return provider.Judge(x, provider.Endpoint{}, provider.Request{}, unread).Class
	}
	const day = `{"error":{"message":"limit of requests per day reached"}}`
	require.Equal(t, provider.InsufficientQuota, class(day))
	require.Equal(t, provider.InsufficientQuota, class(day, "Retry-After", "3600"))
	require.Equal(t, provider.RateLimited, class(day, "Retry-After", "20"))
	require.Equal(t, provider.InsufficientQuota, class(`{"error":{"code":"insufficient_quota"}}`, "Retry-After", "20"), "money is not a matter of seconds")
}
