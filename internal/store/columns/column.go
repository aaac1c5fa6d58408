package columns

import "time"

// Kind says how a column's value is written.
type Kind int

// The kinds, with the Go type of their values.
const (
	Key     Kind = iota // string, compared byte by byte, never null
	Text                // string, null when empty
	Int                 // int, int64 or *int64
	Bool                // bool
	Time                // time.Time or *time.Time, null when zero
	Decimal             // *string, an exact decimal
	Strings             // []string, null when there is none
	JSON                // anything, null when it is nil
	Bytes               // []byte
)

// Column is one column of the table that keeps T.
type Column[T any] struct {
	Name  string
	Kind  Kind
	Value func(*T) any
}

// Names lists the columns' names.
func Names[T any](table []Column[T]) []string {
	names := make([]string, len(table))
	for i, c := range table {
		names[i] = c.Name
	}
	return names
}

// Values lists the columns' values for one row, each as write makes it.
func Values[T any](table []Column[T], row *T, write func(Kind, any) (any, error)) ([]any, error) {
	values := make([]any, len(table))
	for i, c := range table {
		value, err := write(c.Kind, Plain(c.Kind, c.Value(row)))
		if err != nil {
			return nil, err
		}
		values[i] = value
	}
	return values, nil
}

// Plain turns what is null in SQL into nil, and pointers into what they point
// to, so that an adapter has one type for each kind: string, int64, bool,
// time.Time, []string or []byte; any for JSON.
func Plain(kind Kind, value any) any {
	switch v := value.(type) {
	case string:
		if v == "" && kind == Text {
			return nil
		}
	case int:
		return int64(v)
	case *int64:
		return pointed(v)
	case *string:
		return pointed(v)
	case *time.Time:
		return pointed(v)
	case time.Time:
		if v.IsZero() {
			return nil
		}
	case []string:
		if len(v) == 0 {
			return nil
		}
	}
	return value
}

func pointed[V any](p *V) any {
	if p == nil {
		return nil
	}
	return *p
}
