package postgres

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/tutti-dev/tutti/internal/store"
)

// mendable are the classes of SQLSTATE that another try may mend: connection
// exceptions, rollbacks that the server chose, a lack of resources, operator
// intervention such as a shutdown, and system errors.
func mendable() []string { return []string{"08", "40", "53", "57", "58"} }

// The SQLSTATEs of a schema that is not there, or not this one.
func foreignSchema() []string {
	return []string{
		"3F000", // invalid_schema_name
		"42P01", // undefined_table
		"42703", // undefined_column
		"42P10", // invalid_column_reference: a key that an upsert relies on
	}
}

// readOnly is what a standby answers while a failover is under way.
const readOnly = "25006"

// failed says what could not be done, as the port's errors.
func failed(ctx context.Context, what string, err error) error {
	if err == nil {
		return nil
	}
	kind := kindOf(ctx, err)
	if kind == nil {
		return fmt.Errorf("postgres: %s: %w", what, err)
	}
	return fmt.Errorf("postgres: %s: %w: %w", what, kind, err)
}

func kindOf(ctx context.Context, err error) error {
	var refused *pgconn.PgError
	switch {
	case errors.Is(ctx.Err(), context.Canceled):
		return nil // nobody waits for it any more
	case !errors.As(err, &refused):
		return store.ErrUnavailable // no answer from the server: a network or a time-out
	case slices.Contains(foreignSchema(), refused.Code):
		return store.ErrSchema
	case refused.Code == readOnly, slices.Contains(mendable(), refused.Code[:2]):
		return store.ErrUnavailable
	}
	return nil
}
