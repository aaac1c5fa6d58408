package content

import (
	"context"
	"errors"
	"fmt"
)

// ErrNotFound is returned by Store.GetContent when the tenant has no text of that digest.
var ErrNotFound = errors.New("content not found")

// ErrUnavailable wraps every failure that another try may mend: the store
// cannot be reached, or a text does not match its digest yet.
var ErrUnavailable = errors.New("content unavailable")

// Store keeps texts by tenant and digest. A text exists once; putting it again
// changes nothing. Texts are bytes: NUL and invalid UTF-8 survive.
//
// GetContent returns ErrNotFound when there is none. Any other error of either
// method means that the store could not be asked.
type Store interface {
	PutContent(ctx context.Context, tenant, sha256 string, text []byte) error
	GetContent(ctx context.Context, tenant, sha256 string) ([]byte, error)
}

// Keep returns s as it should travel: inline up to limit bytes, else put into
// the store and returned as a reference.
func Keep(ctx context.Context, st Store, tenant, s string, limit int) (Text, error) {
	t := Of(s)
	if t.Size <= limit {
		return t, nil
	}
	if err := st.PutContent(ctx, tenant, t.SHA256, []byte(s)); err != nil {
		return Text{}, fmt.Errorf("keep text %.12s of %d bytes: %w: %w", t.SHA256, t.Size, ErrUnavailable, err)
	}
	t.Kept = true
	return t.Ref(), nil
}

// Fetch returns the text itself, from its inline copy or from the store, and
// refuses bytes that do not match the digest.
func Fetch(ctx context.Context, st Store, tenant string, t Text) (string, error) {
	if !t.IsRef() {
		return t.Inline, nil
	}
	raw, err := st.GetContent(ctx, tenant, t.SHA256)
	if err != nil {
		return "", fmt.Errorf("fetch text %.12s: %w: %w", t.SHA256, ErrUnavailable, err)
	}
	if got := Digest(string(raw)); got != t.SHA256 {
		return "", fmt.Errorf("fetch text %.12s: %w: the stored bytes have digest %.12s", t.SHA256, ErrUnavailable, got)
	}
	return string(raw), nil
}
