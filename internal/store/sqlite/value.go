package sqlite

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/tutti-dev/tutti/internal/store"
	"github.com/tutti-dev/tutti/internal/store/columns"
)

// timeLayout sorts as the times do.
const timeLayout = "2006-01-02T15:04:05.000000Z"

func timeText(t time.Time) string { return store.Micro(t).Format(timeLayout) }

// parseTime reads what timeText wrote.
func parseTime(s string) (time.Time, error) {
	t, err := time.Parse(timeLayout, s)
	if err != nil {
		return time.Time{}, fmt.Errorf("read a time: %w", err)
	}
	return t, nil
}

// write makes the parameter for a column's value.
func write(kind columns.Kind, value any) (any, error) {
	if value == nil {
		return nil, nil
	}
	if at, ok := value.(time.Time); ok {
		return timeText(at), nil
	}
	switch kind {
	case columns.Strings, columns.JSON:
		raw, err := json.Marshal(value)
		if err != nil {
			return nil, fmt.Errorf("encode a column: %w", err)
		}
		return string(raw), nil
	}
	return value, nil
}
