package store

import (
	"encoding/base64"
	"strconv"
	"strings"
	"time"
)

// Cursor is the place after the last run of a page: the key of the list's order.
type Cursor struct {
	CreatedAt time.Time
	RunID     string
}

// String encodes the cursor for a caller, who hands it back unread.
func (c Cursor) String() string {
	raw := strconv.FormatInt(c.CreatedAt.UnixMicro(), 10) + " " + c.RunID
	return base64.RawURLEncoding.EncodeToString([]byte(raw))
}

// ParseCursor reads what String wrote, else returns ErrCursor.
func ParseCursor(s string) (Cursor, error) {
	raw, err := base64.RawURLEncoding.DecodeString(s)
	if err != nil {
		return Cursor{}, ErrCursor
	}
	micros, runID, ok := strings.Cut(string(raw), " ")
	if !ok || runID == "" {
		return Cursor{}, ErrCursor
	}
	n, err := strconv.ParseInt(micros, 10, 64)
	if err != nil {
		return Cursor{}, ErrCursor
	}
	return Cursor{CreatedAt: time.UnixMicro(n).UTC(), RunID: runID}, nil
}
