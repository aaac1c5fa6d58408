package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/tutti-dev/tutti/internal/content"
)

// PutContent implements content.Store.
func (s *Store) PutContent(ctx context.Context, tenant, sha256 string, text []byte) error {
	if text == nil {
		text = []byte{} // an empty text is a text; nil would be null
	}
	return s.transact(ctx, "put a content", func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `
insert into contents (tenant_id, sha256, size, body) values (?, ?, ?, ?)
on conflict do update set created_at = excluded.created_at where contents.created_at < strftime('%Y-%m-%dT%H:%M:%f000Z', 'now', '-1 day')`, tenant, sha256, len(text), text)
		return err
	})
}

// GetContent implements content.Store.
func (s *Store) GetContent(ctx context.Context, tenant, sha256 string) ([]byte, error) {
	var body []byte
	err := s.db.QueryRowContext(ctx,
		`select body from contents where tenant_id = ? and sha256 = ?`, tenant, sha256).Scan(&body)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, fmt.Errorf("content %.12s: %w", sha256, content.ErrNotFound)
	}
	return body, failed(ctx, "get a content", err)
}
