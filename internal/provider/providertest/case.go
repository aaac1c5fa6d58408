// Package providertest is the suite that every dialect's adapter passes: each case
// of the corpus, asked over HTTP of the fake provider, compared in class,
// retryability, advised wait, usage, text, request ID and size of the message, and
// searched for what must not leak. Other tests reuse its cases, to follow the same
// answers through an activity into rows and history.
package providertest

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"time"
)

// Case is what a harness needs of a case of the corpus.
type Case struct {
	ID     string `json:"id"`
	Status int    `json:"status"`
	Hint   Hint   `json:"request_hint"`
	Expect Expect `json:"expect"`
}

// Hint says how to ask.
type Hint struct {
	Dialect    string `json:"dialect"`
	APIKey     string `json:"api_key"`
	User       string `json:"user"`
	DeadlineMS int    `json:"client_deadline_ms"`
	BasePath   string `json:"base_path"`
}

// Expect says what must come of it.
type Expect struct {
	Outcome      string   `json:"outcome"`
	Accept       []string `json:"accept"`
	Retryable    bool     `json:"retryable"`
	RetryableAny bool     `json:"retryable_any"`
	RetryAfterMS *int64   `json:"retry_after_ms"`
	ToleranceMS  int64    `json:"retry_after_tolerance_ms"`
	ExceedsCap   bool     `json:"exceeds_cap"`
	MustNotLeak  []string `json:"must_not_leak"`
	Usage        *struct {
		Input      *int64 `json:"input"`
		Output     *int64 `json:"output"`
		Cached     *int64 `json:"cached"`
		CacheWrite *int64 `json:"cache_write"`
		Reasoning  *int64 `json:"reasoning"`
	} `json:"usage"`
	Text              *string `json:"text"`
	TextContains      string  `json:"text_contains"`
	TextExcludes      string  `json:"text_excludes"`
	FinishReason      string  `json:"finish_reason"`
	RequestID         string  `json:"request_id"`
	MaxErrorTextBytes int     `json:"max_error_text_bytes"`
	NoCredentialsOn   string  `json:"no_credentials_on"`
}

// Load reads corpus files.
func Load(paths ...string) ([]Case, error) {
	var all []Case
	for _, path := range paths {
		raw, err := os.ReadFile(path)
		if err != nil {
			return nil, fmt.Errorf("read the corpus: %w", err)
		}
		var cases []Case
		if err := json.Unmarshal(raw, &cases); err != nil {
			return nil, fmt.Errorf("read the corpus %s: %w", path, err)
		}
		all = append(all, cases...)
	}
	return all, nil
}

// Model is the name to ask for.
func (c Case) Model() string { return "case-" + c.ID }

// BaseURL is the base URL to ask at, given the server's.
func (c Case) BaseURL(server string) string {
	if c.Hint.BasePath != "" {
		return server + c.Hint.BasePath
	}
	return server + "/v1"
}

// Deadline is the client's deadline.
func (c Case) Deadline() time.Duration {
	if c.Hint.DeadlineMS > 0 {
		return time.Duration(c.Hint.DeadlineMS) * time.Millisecond
	}
	return 20 * time.Second
}

// Accepts says whether a class is one of the defensible ones.
func (c Case) Accepts(class string) bool {
	for _, accepted := range append([]string{c.Expect.Outcome}, c.Expect.Accept...) {
		if class == accepted {
			return true
		}
	}
	return false
}

// Leaks returns what of must_not_leak stands in a text.
func (c Case) Leaks(text string) (found []string) {
	for _, secret := range c.Expect.MustNotLeak {
		if strings.Contains(text, secret) {
			found = append(found, secret)
		}
	}
	return found
}
