package config

import (
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tutti-dev/tutti/internal/definition"
)

// Each constructor here makes the field of one kind of value. `of` returns the
// place in the T where the value is kept.

func text[T any](key string, of func(*T) *string, check func(string) error) field[T] {
	return field[T]{
		key: key,
		set: func(t *T, value string) error {
			if err := check(value); err != nil {
				return err
			}
			*of(t) = value
			return nil
		},
		get: func(t *T) string { return *of(t) },
	}
}

func oneOf[T any, S ~string](key string, of func(*T) *S, allowed []S) field[T] {
	return field[T]{
		key: key,
		set: func(t *T, value string) error {
			if !slices.Contains(allowed, S(value)) {
				return refuse("use one of: "+joined(allowed), "cannot be %s", definition.Quote(value))
			}
			*of(t) = S(value)
			return nil
		},
		get: func(t *T) string { return string(*of(t)) },
	}
}

func duration[T any](key string, of func(*T) *time.Duration, low, high time.Duration) field[T] {
	return field[T]{
		key: key,
		set: func(t *T, value string) error {
			d, err := time.ParseDuration(value)
			if err != nil {
				return refuse("write a number with its unit, as in 500ms, 30s or 24h", "is no duration: %s", definition.Quote(value))
			}
			if d < low || d > high {
				return outOfRange(value, spell(low), spell(high))
			}
			*of(t) = d
			return nil
		},
		get: func(t *T) string { return spell(*of(t)) },
	}
}

func whole[T any](key string, of func(*T) *int, low, high int) field[T] {
	return field[T]{
		key: key,
		set: func(t *T, value string) error {
			n, err := integer(value, int64(low), int64(high))
			if err != nil {
				return err
			}
			*of(t) = int(n)
			return nil
		},
		get: func(t *T) string { return strconv.Itoa(*of(t)) },
	}
}

// optional is a whole number whose absence differs from 0.
func optional[T any](key string, of func(*T) **int64, low, high int64) field[T] {
	return field[T]{
		key: key,
		set: func(t *T, value string) error {
			n, err := integer(value, low, high)
			if err != nil {
				return err
			}
			*of(t) = &n
			return nil
		},
		get: func(t *T) string {
			if n := *of(t); n != nil {
				return strconv.FormatInt(*n, 10)
			}
			return ""
		},
	}
}

func rate[T any](key string, of func(*T) *float64, low, high float64) field[T] {
	return field[T]{
		key: key,
		set: func(t *T, value string) error {
			n, err := number(value, low, high)
			if err != nil {
				return err
			}
			*of(t) = n
			return nil
		},
		get: func(t *T) string { return strconv.FormatFloat(*of(t), 'f', -1, 64) },
	}
}

// optionalNumber is a number whose absence differs from 0.
func optionalNumber[T any](key string, of func(*T) **float64, low, high float64) field[T] {
	return field[T]{
		key: key,
		set: func(t *T, value string) error {
			n, err := number(value, low, high)
			if err != nil {
				return err
			}
			n += 0 // A negative zero is zero.
			*of(t) = &n
			return nil
		},
		get: func(t *T) string {
			if n := *of(t); n != nil {
				return strconv.FormatFloat(*n, 'f', -1, 64)
			}
			return ""
		},
	}
}

func number(value string, low, high float64) (float64, error) {
	n, err := strconv.ParseFloat(value, 64)
	if err != nil {
		return 0, refuse("write a number, as in 5 or 0.5", "is no number: %s", definition.Quote(value))
	}
	if !(n >= low && n <= high) { // not a number is in no range
		return 0, outOfRange(value, fmt.Sprint(low), fmt.Sprint(high))
	}
	return n, nil
}

// cost is an exact amount of US dollars. It is kept as it is written, because a
// binary fraction would not be what the user allowed.
func cost[T any](key string, of func(*T) **string, high int64) field[T] {
	return field[T]{
		key: key,
		set: func(t *T, value string) error {
			if err := checkAmount(value, high); err != nil {
				return err
			}
			*of(t) = &value
			return nil
		},
		get: func(t *T) string {
			if amount := *of(t); amount != nil {
				return *amount
			}
			return ""
		},
	}
}

func checkAmount(value string, high int64) error {
	if !isDecimal(value) {
		return refuse("write plain digits, as in 0.25 (at most 9 decimals)", "is no amount of dollars: %s", definition.Quote(value))
	}
	amount, ok := new(big.Rat).SetString(value)
	if !ok || amount.Cmp(new(big.Rat).SetInt64(high)) > 0 {
		return outOfRange(value, "0", strconv.FormatInt(high, 10))
	}
	return nil
}

func secret[T any](key string, of func(*T) *Secret) field[T] {
	return field[T]{
		key: key,
		set: func(t *T, value string) error { *of(t) = NewSecret(value); return nil },
		get: func(t *T) string { return of(t).String() },
	}
}

// hidden makes a field read as set or unset only.
func hidden[T any](f field[T]) field[T] {
	show := f.get
	f.get = func(t *T) string { return NewSecret(show(t)).String() }
	return f
}

// inVariable keeps a field out of the file.
func inVariable[T any](f field[T]) field[T] {
	f.where = variableOnly
	return f
}

func integer(value string, low, high int64) (int64, error) {
	n, err := strconv.ParseInt(value, 10, 64)
	if err != nil && !isDigits(strings.TrimPrefix(value, "-")) {
		return 0, refuse("write plain digits, as in 8", "is no whole number: %s", definition.Quote(value))
	}
	if err != nil || n < low || n > high {
		return 0, outOfRange(value, strconv.FormatInt(low, 10), strconv.FormatInt(high, 10))
	}
	return n, nil
}

func outOfRange(value, low, high string) error {
	return refuse(fmt.Sprintf("use %s to %s", low, high), "is out of range: %s", definition.Quote(value))
}

// isDecimal says whether s is digits, with at most nine more behind a point.
func isDecimal(s string) bool {
	units, decimals, point := strings.Cut(s, ".")
	return isDigits(units) && (!point || isDigits(decimals) && len(decimals) <= 9)
}

func isDigits(s string) bool {
	return s != "" && len(s) <= 64 && strings.Trim(s, "0123456789") == ""
}

// spell writes a duration without the zero units that Go adds: 720h, not
// 720h0m0s.
func spell(d time.Duration) string {
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	return s
}

func joined[S ~string](names []S) string {
	all := make([]string, 0, len(names))
	for _, n := range names {
		all = append(all, string(n))
	}
	return strings.Join(all, ", ")
}
