package provider

import (
	"net/http"
	"strings"
	"time"
)

// Exchange is one HTTP request and all that came of it.
type Exchange struct {
	// Status is 0 when no response came.
	Status int
	Header http.Header
	// Body is what was read, at most the cap of its kind.
	Body []byte
	// Oversize says that the body goes on after Body.
	Oversize bool
	// Failure is the transport's error, in the headers or in the body.
	Failure error
	// ReceivedAt is when the last byte, or the failure, was here.
	ReceivedAt time.Time
	Elapsed    time.Duration
}

// Succeeded says whether the status is a 2xx.
func (x Exchange) Succeeded() bool { return x.Status >= 200 && x.Status < 300 }

// outcomeOf is the part of an outcome that the headers give.
func outcomeOf(x Exchange, g Guard) Outcome {
	return Outcome{
		Status:      x.Status,
		RequestID:   requestID(x.Header, g),
		ShouldRetry: shouldRetry(x.Header),
		Elapsed:     x.Elapsed,
	}
}

func requestID(h http.Header, g Guard) string {
	for _, name := range []string{"X-Request-Id", "Request-Id", "Apim-Request-Id", "X-Generation-Id", "X-Amzn-Requestid"} {
		if id := g.ID(h.Get(name)); id != "" {
			return id
		}
	}
	return ""
}

func shouldRetry(h http.Header) *bool {
	var says bool
	switch strings.ToLower(strings.TrimSpace(h.Get("X-Should-Retry"))) {
	case "true":
		says = true
	case "false":
	default:
		return nil
	}
	return &says
}
