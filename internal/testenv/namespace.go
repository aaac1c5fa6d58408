package testenv

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/operatorservice/v1"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"
	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/tutti-dev/tutti/deploy"
)

// namespaceTime is how long making a namespace may take; it takes some ten milliseconds.
const namespaceTime = 60 * time.Second

// newNamespace registers a fresh namespace with tutti's search attributes, which a server with an
// SQL store keeps for each namespace apart, and waits until runs can be listed by them.
func newNamespace(t testing.TB, address string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), namespaceTime)
	defer cancel()
	name := "test-" + strings.ToLower(rand.Text())
	c := Dial(t, address, name)
	// A busy server's SQLite interrupts a statement now and then, and says so.
	if err := await(ctx, func() error { return register(ctx, c, name) }); err != nil {
		t.Fatal(err)
	}
	if err := await(ctx, func() error { return visible(ctx, c, name) }); err != nil {
		t.Fatalf("waiting for namespace %s: %v", name, err)
	}
	return name
}

func register(ctx context.Context, c client.Client, name string) error {
	_, err := c.WorkflowService().RegisterNamespace(ctx, &workflowservice.RegisterNamespaceRequest{
		Namespace:                        name,
		WorkflowExecutionRetentionPeriod: durationpb.New(24 * time.Hour),
	})
	if err != nil && !exists(err) {
		return fmt.Errorf("registering namespace %s: %w", name, err)
	}
	config, err := deploy.DevServer()
	if err != nil {
		return fmt.Errorf("reading tutti's search attributes: %w", err)
	}
	attributes := make(map[string]enums.IndexedValueType, len(config.SearchAttributes))
	for attribute, kind := range config.SearchAttributes {
		if attributes[attribute], err = enums.IndexedValueTypeFromString(kind); err != nil {
			return fmt.Errorf("reading tutti's search attributes: %w", err)
		}
	}
	_, err = c.OperatorService().AddSearchAttributes(ctx, &operatorservice.AddSearchAttributesRequest{
		Namespace: name, SearchAttributes: attributes,
	})
	if err != nil && !exists(err) {
		return fmt.Errorf("adding search attributes to namespace %s: %w", name, err)
	}
	return nil
}

// exists says that an earlier try had done it already.
func exists(err error) bool {
	var namespace *serviceerror.NamespaceAlreadyExists
	var attribute *serviceerror.AlreadyExists
	return errors.As(err, &namespace) || errors.As(err, &attribute)
}

// visible looks whether runs of the namespace can be counted by one of tutti's search attributes.
func visible(ctx context.Context, c client.Client, namespace string) error {
	_, err := c.WorkflowService().CountWorkflowExecutions(ctx, &workflowservice.CountWorkflowExecutionsRequest{
		Namespace: namespace, Query: `TuttiTenant = "nobody"`,
	})
	if err != nil {
		return fmt.Errorf("counting the runs of namespace %s: %w", namespace, err)
	}
	return nil
}
