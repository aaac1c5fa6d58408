package postgres

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/tutti-dev/tutti/internal/store/columns"
)

// replacement stands where Postgres text cannot hold a byte.
const replacement = "\uFFFD"

// write makes the parameter for a column's value. Texts for people to read lose
// what Postgres text cannot hold. Keys do not: two keys must never become one,
// so Postgres refuses those.
func write(kind columns.Kind, value any) (any, error) {
	switch v := value.(type) {
	case nil:
		return nil, nil
	case string:
		if kind == columns.Text {
			return clean(v), nil
		}
	case []string:
		cleaned := make([]string, len(v))
		for i := range v {
			cleaned[i] = clean(v[i])
		}
		return cleaned, nil
	}
	if kind != columns.JSON {
		return value, nil
	}
	raw, err := json.Marshal(value)
	if err != nil {
		return nil, fmt.Errorf("encode a column: %w", err)
	}
	return string(cleanJSON(raw)), nil
}

func clean(s string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(s, replacement), "\x00", replacement)
}

// cleanJSON replaces the escaped NUL, which jsonb refuses, and leaves an escaped
// backslash before the letters u0000 alone.
func cleanJSON(raw []byte) []byte {
	const escape = `\u0000`
	if !bytes.Contains(raw, []byte(escape)) {
		return raw
	}
	out := make([]byte, 0, len(raw))
	for i := 0; i < len(raw); {
		switch {
		case bytes.HasPrefix(raw[i:], []byte(escape)):
			out = append(out, replacement...)
			i += len(escape)
		case raw[i] == '\\':
			out = append(out, raw[i], raw[i+1])
			i += 2
		default:
			out = append(out, raw[i])
			i++
		}
	}
	return out
}
