// Package canonical gives values one JSON form and one version, so that two
// processes which mean the same write the same.
//
// Shape. JSON encodes a small closed set of values: nil, bool, string, int,
// float64, []string, []any and map[string]any. Keys are sorted by their bytes,
// nothing is written that is not needed, strings are in Unicode's NFC, and a
// whole number is written the same whether it came as int or as float64.
// Version is "1.0.0+h" and the first 12 hex digits of that form's sha256.
//
// Invariants. Equal values give equal bytes in every process; what has no single
// form (a NaN, a string that is not UTF-8, two keys that NFC makes equal, a type
// outside of the set) is an error and never an approximation. Bytes that must
// count one by one, a prompt for instance, are given as their digest: NFC would
// make two different prompts equal.
package canonical

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// versionPrefix stands before the digest: a semantic version whose build part
// says what the content is.
const versionPrefix = "1.0.0+h"

// versionDigits is how much of the digest a version carries.
const versionDigits = 12

// Version returns the content-addressed version of a value.
func Version(value any) (string, error) {
	encoded, err := JSON(value)
	if err != nil {
		return "", err
	}
	return versionPrefix + SHA256(encoded)[:versionDigits], nil
}

// SHA256 returns the digest of bytes in lower-case hex.
func SHA256(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// JSON returns the canonical form of a value.
func JSON(value any) ([]byte, error) { return appendValue(nil, value) }

func appendValue(out []byte, value any) ([]byte, error) {
	switch v := value.(type) {
	case nil:
		return append(out, "null"...), nil
	case bool:
		return strconv.AppendBool(out, v), nil
	case int:
		return strconv.AppendInt(out, int64(v), 10), nil
	case float64:
		return appendFloat(out, v)
	case string:
		return appendString(out, v)
	case []string:
		return appendList(out, v)
	case []any:
		return appendList(out, v)
	case map[string]any:
		return appendMap(out, v)
	default:
		return nil, fmt.Errorf("canonical: a %T has no canonical form", value)
	}
}

func appendFloat(out []byte, v float64) ([]byte, error) {
	switch {
	case math.IsNaN(v) || math.IsInf(v, 0):
		return nil, fmt.Errorf("canonical: %v is not a JSON number", v)
	case v == math.Trunc(v) && math.Abs(v) < 1<<53:
		return strconv.AppendInt(out, int64(v), 10), nil
	default:
		return strconv.AppendFloat(out, v, 'g', -1, 64), nil
	}
}

func appendString(out []byte, s string) ([]byte, error) {
	if !utf8.ValidString(s) {
		return nil, fmt.Errorf("canonical: a string is not UTF-8")
	}
	buffer := bytes.NewBuffer(out)
	encoder := json.NewEncoder(buffer)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(norm.NFC.String(s)); err != nil {
		return nil, fmt.Errorf("canonical: encode a string: %w", err)
	}
	return bytes.TrimSuffix(buffer.Bytes(), []byte{'\n'}), nil
}

func appendList[T any](out []byte, list []T) ([]byte, error) {
	out = append(out, '[')
	for i, item := range list {
		if i > 0 {
			out = append(out, ',')
		}
		var err error
		if out, err = appendValue(out, item); err != nil {
			return nil, err
		}
	}
	return append(out, ']'), nil
}

func appendMap(out []byte, fields map[string]any) ([]byte, error) {
	byKey := make(map[string]any, len(fields))
	for key, value := range fields {
		byKey[norm.NFC.String(key)] = value
	}
	if len(byKey) != len(fields) {
		return nil, fmt.Errorf("canonical: two keys are the same in NFC")
	}
	out = append(out, '{')
	for i, key := range slices.Sorted(maps.Keys(byKey)) {
		if i > 0 {
			out = append(out, ',')
		}
		var err error
		if out, err = appendString(out, key); err != nil {
			return nil, err
		}
		out = append(out, ':')
		if out, err = appendValue(out, byKey[key]); err != nil {
			return nil, err
		}
	}
	return append(out, '}'), nil
}
