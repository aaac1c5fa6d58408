package provider

import (
	"slices"
	"strings"
	"time"
)

// shortWait is the advised wait up to which a long quota is only a rate limit.
const shortWait = time.Minute

// refuse makes the outcome of an answer that refuses: an error status, or an error
// inside a 2xx.
func refuse(x Exchange, c *complaint, g Guard) Outcome {
	out := outcomeOf(x, g)
	out.RetryAfter = advisedWait(x.Header, c, x.ReceivedAt)
	out.Class = classOfRefusal(effectiveStatus(x.Status, c.status), c, g.withoutPrompt(c.prose.String()), out)
	out.ErrType, out.ErrCode = g.Token(c.kind), g.Token(c.code)
	if out.RequestID == "" {
		out.RequestID = g.ID(c.id)
	}
	if !waits(out.Class) && x.Header.Get("Retry-After") == "" && x.Header.Get("Retry-After-Ms") == "" {
		out.RetryAfter = nil
	}
	return out
}

// waits says whether a wait that was not spelled out in Retry-After means
// something for the class: reset times stand beside every kind of refusal.
func waits(c Class) bool { return c.Transient() || c == InsufficientQuota }

// effectiveStatus is the status that decides: the body's in a 2xx, else HTTP's,
// unless a gateway wrapped a more telling one into its own 400 or 5xx.
func effectiveStatus(status, inBody int) int {
	if status >= 200 && status < 300 {
		return inBody
	}
	if status == 400 || status >= 500 {
		switch inBody {
		case 401, 402, 403, 404, 408, 413, 429, 503, 529:
			return inBody
		}
	}
	return status
}

func classOfRefusal(status int, c *complaint, prose string, out Outcome) Class {
	tokens := make([]string, len(c.tokens))
	for i, token := range c.tokens {
		tokens[i] = flatten(token)
	}
	for _, r := range refusalRules() {
		if !r.applies(status, tokens, prose) {
			continue
		}
		if r.longQuota && out.RetryAfter != nil && *out.RetryAfter <= shortWait {
			return RateLimited
		}
		return r.class
	}
	class := statusClass(status)
	if class == BadRequest && status >= 400 && out.ShouldRetry != nil && *out.ShouldRetry {
		return ServerError
	}
	return class
}

func (r rule) applies(status int, tokens []string, prose string) bool {
	if len(r.statuses) > 0 && !slices.Contains(r.statuses, status) {
		return false
	}
	if len(r.tokens) == 0 && len(r.phrases) == 0 {
		return true
	}
	for _, token := range r.tokens {
		if slices.Contains(tokens, flatten(token)) {
			return true
		}
	}
	return slices.ContainsFunc(r.phrases, func(phrase string) bool { return says(prose, phrase) })
}

func says(prose, phrase string) bool {
	for part := range strings.SplitSeq(phrase, " & ") {
		if !strings.Contains(prose, part) {
			return false
		}
	}
	return true
}

// flatten makes DeploymentNotFound, deployment_not_found and deployment-not-found
// equal.
func flatten(token string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			return r
		}
		return -1
	}, token)
}
