package config

import "log/slog"

const masked = "(set, not shown)"

// Secret is a value that is used and never shown: whatever prints, encodes or
// logs it gets a mask. The zero Secret is unset.
type Secret struct{ value string }

// NewSecret wraps a value.
func NewSecret(value string) Secret { return Secret{value} }

// IsSet says that there is a value.
func (s Secret) IsSet() bool { return s.value != "" }

// Reveal returns the value, for the one place that uses it.
func (s Secret) Reveal() string { return s.value }

// String returns a mask, or "" when the secret is unset.
func (s Secret) String() string {
	if !s.IsSet() {
		return ""
	}
	return masked
}

// GoString returns what String returns.
func (s Secret) GoString() string { return s.String() }

// MarshalText encodes what String returns.
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// LogValue logs what String returns.
func (s Secret) LogValue() slog.Value { return slog.StringValue(s.String()) }
