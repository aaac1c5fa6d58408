package provider

import "strings"

// isToken says whether s has the shape of a type or code token: words of letters
// and digits, joined by _ or -, or by a dot before a capital (Throttling.RateQuota),
// or a short number. A host name and a long number do not have it.
func isToken(s string) bool {
	if s == "" || len(s) > maxTokenBytes || digits(s) > maxTokenDigits {
		return false
	}
	if digits(s) == len(s) {
		return true
	}
	if !isLetter(s[0]) || !isAlphanumeric(s[len(s)-1]) {
		return false
	}
	for i := 1; i < len(s); i++ {
		switch c := s[i]; {
		case isAlphanumeric(c):
		case (c == '_' || c == '-') && isAlphanumeric(s[i-1]):
		case c == '.' && s[i+1] >= 'A' && s[i+1] <= 'Z':
		default:
			return false
		}
	}
	return true
}

// isName says whether s is letters, digits and the given marks, beginning with one
// of the former, and short.
func isName(s, marks string) bool {
	if s == "" || len(s) > maxIDBytes || !isAlphanumeric(s[0]) {
		return false
	}
	for i := range len(s) {
		if !isAlphanumeric(s[i]) && strings.IndexByte(marks, s[i]) < 0 {
			return false
		}
	}
	return true
}

// isAccount says whether lower-cased s looks like a key or the ID of an account.
func isAccount(lower string) bool {
	if strings.HasPrefix(lower, "bearer") || strings.HasPrefix(lower, "eyj") || strings.Contains(lower, "sk-") {
		return true
	}
	for _, kind := range []string{
		"sk", "pk", "rk", "ak", "gsk", "xai", "key", "api-key", "api_key", "apikey", "org", "organization", "proj",
		"project", "user", "usr", "team", "acct", "account", "tenant", "workspace",
	} {
		if rest, ok := strings.CutPrefix(lower, kind); ok && (strings.HasPrefix(rest, "-") || strings.HasPrefix(rest, "_")) {
			return true
		}
	}
	return false
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

func isAlphanumeric(c byte) bool { return isLetter(c) || c >= '0' && c <= '9' }

func digits(s string) int {
	n := 0
	for i := range len(s) {
		if s[i] >= '0' && s[i] <= '9' {
			n++
		}
	}
	return n
}
