package provider

import "strings"

// Guard decides which short strings of a provider's answer may stand in messages,
// telemetry and rows. It knows what this call must not give away: the credential,
// custom headers, and the prompt.
type Guard struct {
	secrets []string
	prompts []string
	model   string
}

// The bounds of what may pass.
const (
	maxTokenBytes  = 64
	maxIDBytes     = 128
	maxTokenDigits = 6
	// minSecretBytes is the length from which a part of a secret counts as a leak.
	minSecretBytes = 8
)

// NewGuard makes the guard of one call.
func NewGuard(ep Endpoint, req Request) Guard {
	g := Guard{model: req.Model, prompts: []string{req.System, req.User}}
	g.secrets = append(g.secrets, ep.APIKey)
	for _, v := range ep.Headers {
		g.secrets = append(g.secrets, v)
	}
	return g
}

// Token returns a type or code token if it is harmless, else "".
func (g Guard) Token(s string) string {
	s = strings.TrimSpace(s)
	if knownToken(s) {
		return s
	}
	if !isToken(s) || g.gives(s) {
		return ""
	}
	return s
}

// ID returns a request ID if it is harmless, else "".
func (g Guard) ID(s string) string {
	s = strings.TrimSpace(s)
	if !isName(s, "_.:-") || g.gives(s) {
		return ""
	}
	return s
}

// Model returns the name of a model if it is harmless, else "". The name that was
// asked for always is.
func (g Guard) Model(s string) string {
	s = strings.TrimSpace(s)
	if s != "" && s == g.model {
		return s
	}
	if !isName(s, "_.:/@+-") || g.gives(s) {
		return ""
	}
	return s
}

// gives says whether a string would give something away: it is like a key or an
// account's ID, it shares a long part with a secret, or it stands in the prompt.
func (g Guard) gives(s string) bool {
	lower := strings.ToLower(s)
	if isAccount(lower) {
		return true
	}
	for _, secret := range g.secrets {
		if sharesPart(lower, strings.ToLower(secret)) {
			return true
		}
	}
	if len(s) < minSecretBytes {
		return false
	}
	for _, prompt := range g.prompts {
		if strings.Contains(prompt, s) {
			return true
		}
	}
	return false
}

// sharesPart says whether s holds minSecretBytes or more of the secret in a row.
func sharesPart(s, secret string) bool {
	if len(secret) < minSecretBytes {
		return secret != "" && s == secret
	}
	for i := 0; i+minSecretBytes <= len(secret); i++ {
		if strings.Contains(s, secret[i:i+minSecretBytes]) {
			return true
		}
	}
	return false
}

// withoutPrompt removes an echoed prompt from lower-cased prose, so that a prompt
// about billing is not taken for a bill.
func (g Guard) withoutPrompt(prose string) string {
	for _, prompt := range g.prompts {
		if prompt = strings.ToLower(strings.TrimSpace(prompt)); len(prompt) >= minSecretBytes && len(prompt) <= len(prose) {
			prose = strings.ReplaceAll(prose, prompt, "")
		}
	}
	return prose
}

// knownToken says whether a token is one of those that the rules and the finish
// reasons name; such a word is harmless wherever else it stands.
func knownToken(s string) bool {
	if !isToken(s) {
		return false
	}
	if _, known := finishKindOf(s); known {
		return true
	}
	flat := flatten(s)
	for _, r := range refusalRules() {
		for _, token := range r.tokens {
			if flatten(token) == flat {
				return true
			}
		}
	}
	return flat == "invalidrequesterror" || flat == "notfounderror"
}
