package app

import (
	"context"
	"fmt"
	"slices"

	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/api/operatorservice/v1"
	"go.temporal.io/sdk/client"

	"github.com/tutti-dev/tutti/internal/history"
)

// MissingAttributes lists tutti's search attributes that the namespace lacks.
func MissingAttributes(ctx context.Context, c client.Client, namespace string) ([]string, error) {
	known, err := c.OperatorService().ListSearchAttributes(ctx, &operatorservice.ListSearchAttributesRequest{Namespace: namespace})
	if err != nil {
		return nil, fmt.Errorf("list search attributes: %w", err)
	}
	missing := history.SearchAttributes()
	return slices.DeleteFunc(missing, func(name string) bool {
		_, ok := known.GetCustomAttributes()[name]
		return ok
	}), nil
}

// RegisterAttributes adds the missing ones. A cluster that does not permit it
// returns an error, and runs then start without them.
func RegisterAttributes(ctx context.Context, c client.Client, namespace string) error {
	missing, err := MissingAttributes(ctx, c, namespace)
	if err != nil || len(missing) == 0 {
		return err
	}
	add := make(map[string]enumspb.IndexedValueType, len(missing))
	for _, name := range missing {
		add[name] = enumspb.INDEXED_VALUE_TYPE_KEYWORD
	}
	_, err = c.OperatorService().AddSearchAttributes(ctx, &operatorservice.AddSearchAttributesRequest{
		Namespace: namespace, SearchAttributes: add,
	})
	if err != nil {
		return fmt.Errorf("register search attributes: %w", err)
	}
	return nil
}
