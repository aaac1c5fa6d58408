package runs

import (
	"context"
	"errors"
	"fmt"

	"go.temporal.io/api/serviceerror"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/converter"

	"github.com/tutti-dev/tutti/internal/history"
)

var (
	// ErrNotFound says that the tenant has no such run.
	ErrNotFound = errors.New("no such run")
	// ErrUnreachable says that Temporal did not answer, or asked for patience.
	ErrUnreachable = errors.New("temporal cannot be reached")
	// ErrRefused says that Temporal refuses this client: it does not know the
	// namespace, or does not permit what was asked.
	ErrRefused = errors.New("temporal refuses")
)

// Client reads and changes the runs of one namespace.
type Client struct {
	temporal  client.Client
	converter converter.DataConverter
	namespace string
	queue     string
	archive   Archive
}

// Options say where runs live.
type Options struct {
	Namespace string
	TaskQueue string
	// Converter is the worker's; nil means the SDK's default.
	Converter converter.DataConverter
	// Archive is asked for runs that Temporal has forgotten; nil means none.
	Archive Archive
}

// New wraps a Temporal client, which stays the caller's to close.
func New(c client.Client, o Options) *Client {
	if o.Converter == nil {
		o.Converter = converter.GetDefaultDataConverter()
	}
	if o.TaskQueue == "" {
		o.TaskQueue = history.DefaultTaskQueue
	}
	return &Client{temporal: c, converter: o.Converter, namespace: o.Namespace, queue: o.TaskQueue, archive: o.Archive}
}

// TaskQueue is the queue that runs are started on.
func (c *Client) TaskQueue() string { return c.queue }

// HasPollers says whether a worker is there that takes up runs which are not
// pinned. Workers of a build that is not current do not count.
func (c *Client) HasPollers(ctx context.Context) (bool, error) {
	routing, err := c.Routing(ctx)
	return err == nil && routing.Serves(Version{}), err
}

// Cancel asks the run to end. Cancelling a run that has ended changes nothing
// and is no error.
func (c *Client) Cancel(ctx context.Context, runID string) error {
	err := Translate(c.temporal.CancelWorkflow(ctx, runID, ""))
	if errors.Is(err, ErrNotFound) {
		return fmt.Errorf("cancel %s: %w", runID, err)
	}
	return err
}

// Translate brings the SDK's errors into this package's words and keeps the cause.
func Translate(err error) error {
	if err == nil {
		return nil
	}
	var (
		notFound  *serviceerror.NotFound
		away      *serviceerror.Unavailable
		late      *serviceerror.DeadlineExceeded
		busy      *serviceerror.ResourceExhausted
		namespace *serviceerror.NamespaceNotFound
		denied    *serviceerror.PermissionDenied
		canceled  *serviceerror.Canceled
	)
	switch {
	case errors.As(err, &notFound):
		return fmt.Errorf("%w: %w", ErrNotFound, err)
	case errors.As(err, &away), errors.As(err, &late), errors.As(err, &busy):
		return fmt.Errorf("%w: %w", ErrUnreachable, err)
	case errors.As(err, &namespace), errors.As(err, &denied):
		return fmt.Errorf("%w: %w", ErrRefused, err)
	case errors.As(err, &canceled):
		return fmt.Errorf("%w: %w", context.Canceled, err)
	}
	return err
}
