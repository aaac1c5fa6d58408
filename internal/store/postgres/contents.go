package postgres

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/tutti-dev/tutti/internal/content"
	"github.com/tutti-dev/tutti/internal/txscope"
)

// PutContent implements content.Store.
func (s *Store) PutContent(ctx context.Context, tenant, sha256 string, text []byte) error {
	defer txscope.Enter(ctx)()
	if text == nil {
		text = []byte{} // an empty text is a text; nil would be null
	}
	_, err := s.pool.Exec(ctx, `
insert into tutti_kept.contents (tenant_id, sha256, size, body) values ($1, $2, $3, $4)
on conflict (tenant_id, sha256) do update set created_at = now() where contents.created_at < now() - interval '1 day'`, tenant, sha256, len(text), text)
	return failed(ctx, "put a content", err)
}

// GetContent implements content.Store.
func (s *Store) GetContent(ctx context.Context, tenant, sha256 string) ([]byte, error) {
	defer txscope.Enter(ctx)()
	var body []byte
	err := s.pool.QueryRow(ctx, `
select body from tutti_kept.contents where tenant_id = $1 and sha256 = $2`, tenant, sha256).Scan(&body)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, fmt.Errorf("content %.12s: %w", sha256, content.ErrNotFound)
	}
	return body, failed(ctx, "get a content", err)
}
