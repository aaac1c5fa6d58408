package filesystem

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/tutti-dev/tutti/internal/content"
)

// PutContent implements content.Store.
func (s *Store) PutContent(ctx context.Context, tenant, sha256 string, text []byte) error {
	if err := ctx.Err(); err != nil {
		return failed("put a content", err)
	}
	path := s.contentFile(tenant, sha256)
	made, err := create(path, text)
	if err == nil && !made {
		// Whoever puts it again needs it from now on, as Discard has to know.
		now := time.Now()
		err = os.Chtimes(path, now, now)
	}
	return failed("put a content", err)
}

// GetContent implements content.Store.
func (s *Store) GetContent(ctx context.Context, tenant, sha256 string) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, failed("get a content", err)
	}
	raw, err := os.ReadFile(s.contentFile(tenant, sha256))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("content %.12s: %w", sha256, content.ErrNotFound)
	}
	return raw, failed("get a content", err)
}
