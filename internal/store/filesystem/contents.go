package filesystem

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/tutti-dev/tutti/internal/content"
)

// PutContent implements content.Store.
func (s *Store) PutContent(ctx context.Context, tenant, sha256 string, text []byte) error {
	if err := ctx.Err(); err != nil {
		return failed("put a content", err)
	}
	_, err := create(s.contentFile(tenant, sha256), text)
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
