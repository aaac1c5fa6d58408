package app

import (
	"context"
	"errors"
	"fmt"
	"strings"

	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/api/serviceerror"
	taskqueuepb "go.temporal.io/api/taskqueue/v1"
	"go.temporal.io/api/workflowservice/v1"

	"github.com/tutti-dev/tutti/internal/doctor"
	"github.com/tutti-dev/tutti/internal/runs"
)

// examinedServer implements what internal/doctor asks of Temporal.
type examinedServer struct{ app *App }

// Server implements doctor.Temporal.
func (e *examinedServer) Server(ctx context.Context) (doctor.Server, error) {
	options, err := e.app.temporalOptions()
	if err != nil {
		return doctor.Server{}, &doctor.RefusedError{Err: err}
	}
	c, namespace, err := e.app.Temporal(ctx)
	if err != nil {
		return doctor.Server{}, connectionTrouble(err)
	}
	server := doctor.Server{Address: options.HostPort, Namespace: namespace, Version: "unknown"}
	info, err := c.WorkflowService().GetSystemInfo(ctx, &workflowservice.GetSystemInfoRequest{})
	if err != nil {
		return server, connectionTrouble(fmt.Errorf("%s does not say what it is: %w", options.HostPort, err))
	}
	if info.GetServerVersion() != "" {
		server.Version = info.GetServerVersion()
	}
	_, err = c.WorkflowService().DescribeNamespace(ctx, &workflowservice.DescribeNamespaceRequest{Namespace: namespace})
	var none *serviceerror.NamespaceNotFound
	var denied *serviceerror.PermissionDenied
	if server.NamespaceMissing = errors.As(err, &none); err != nil && !server.NamespaceMissing && !errors.As(err, &denied) {
		return server, connectionTrouble(fmt.Errorf("%s does not describe namespace %s: %w", options.HostPort, namespace, err))
	}
	return server, nil
}

// connectionTrouble adds what the connection's error leaves out, and marks
// credentials that the server refuses.
func connectionTrouble(err error) error {
	var connection *ConnectionError
	if errors.As(err, &connection) {
		err = &plainError{connection.Error() + ": " + gist(connection.Err.Error()), err}
	}
	var denied *serviceerror.PermissionDenied
	if errors.As(err, &denied) {
		return &doctor.RefusedError{Err: err}
	}
	return err
}

// gist leaves out how gRPC got to an error.
func gist(text string) string {
	for _, lead := range []string{"desc = ", "transport: ", "Error while dialing: "} {
		if at := strings.LastIndex(text, lead); at >= 0 {
			text = text[at+len(lead):]
		}
	}
	return strings.Trim(text, `" `)
}

// Missing implements doctor.Attributes.
func (e *examinedServer) Missing(ctx context.Context) ([]string, error) {
	c, namespace, err := e.app.Temporal(ctx)
	if err != nil {
		return nil, err
	}
	missing, err := MissingAttributes(ctx, c, namespace)
	return missing, permitted(err)
}

// Register implements doctor.Attributes.
func (e *examinedServer) Register(ctx context.Context) error {
	c, namespace, err := e.app.Temporal(ctx)
	if err != nil {
		return err
	}
	return permitted(RegisterAttributes(ctx, c, namespace))
}

// Name implements doctor.Queue.
func (e *examinedServer) Name() string { return e.app.Config.TaskQueue }

// Pollers implements doctor.Queue.
func (e *examinedServer) Pollers(ctx context.Context) (doctor.Pollers, error) {
	c, _, err := e.app.Temporal(ctx)
	if err != nil {
		return doctor.Pollers{}, err
	}
	var found doctor.Pollers
	for kind, to := range map[enumspb.TaskQueueType]*[]doctor.Poller{
		enumspb.TASK_QUEUE_TYPE_WORKFLOW: &found.Workflows,
		enumspb.TASK_QUEUE_TYPE_ACTIVITY: &found.Activities,
	} {
		d, err := c.DescribeTaskQueue(ctx, e.Name(), kind)
		if err != nil {
			return doctor.Pollers{}, permitted(fmt.Errorf("describe task queue %s: %w", e.Name(), err))
		}
		*to = pollersOf(d.GetPollers())
	}
	return found, nil
}

func pollersOf(pollers []*taskqueuepb.PollerInfo) []doctor.Poller {
	found := make([]doctor.Poller, 0, len(pollers))
	for _, p := range pollers {
		found = append(found, doctor.Poller{Identity: p.GetIdentity(), LastSeen: p.GetLastAccessTime().AsTime()})
	}
	return found
}

// Blocked implements doctor.Runs. Another tenant's run is as good as none.
func (e *examinedServer) Blocked(ctx context.Context, limit int) (blocked []string, more bool, err error) {
	reader, err := e.app.Runs(ctx)
	if err != nil {
		return nil, false, err
	}
	open, more, err := newest(ctx, reader.OpenRuns, limit)
	if err != nil {
		return nil, false, permitted(err)
	}
	for _, id := range open {
		stuck, err := reader.Blocked(ctx, id)
		if errors.Is(err, runs.ErrNotFound) {
			continue // It has gone since it was listed.
		}
		if err != nil {
			return nil, false, permitted(err)
		}
		if !stuck {
			continue
		}
		if _, err := reader.Get(ctx, e.app.Config.Tenant, id); err == nil {
			blocked = append(blocked, id)
		}
	}
	return blocked, more, nil
}

// newest lists runs, newest first, until there are enough.
func newest(ctx context.Context, list func(context.Context, func([]runs.Listed) error) error, limit int) (ids []string, more bool, err error) {
	enough := errors.New("enough")
	err = list(ctx, func(page []runs.Listed) error {
		for _, l := range page {
			if len(ids) == limit {
				more = true
				return enough
			}
			ids = append(ids, l.RunID)
		}
		return nil
	})
	if err != nil && !errors.Is(err, enough) {
		return nil, false, err
	}
	return ids, more, nil
}

// permitted tells a server that does not let us from one that does not answer.
func permitted(err error) error {
	var denied *serviceerror.PermissionDenied
	var unknown *serviceerror.Unimplemented
	if errors.As(err, &denied) || errors.As(err, &unknown) {
		return fmt.Errorf("%w: %w", doctor.ErrNotPermitted, err)
	}
	return err
}
