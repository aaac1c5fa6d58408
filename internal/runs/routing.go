package runs

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/api/serviceerror"
	taskqueuepb "go.temporal.io/api/taskqueue/v1"

	"github.com/tutti-dev/tutti/internal/history"
)

// Routing says to which workers Temporal gives the workflow tasks of the queue,
// and which are there.
type Routing struct {
	// Current gets the runs that are not pinned; the zero Version means workers
	// without a deployment.
	Current Version
	// Ramping gets a part of them instead, where Percentage is not 0.
	Ramping    Version
	Percentage float32
	// Pollers are those who asked for work in the last minutes.
	Pollers []Poller
}

// Poller is a worker process as it names itself, and the version it polls as.
type Poller struct {
	Identity string
	LastSeen time.Time
	Version  Version
}

// Routing asks Temporal for the queue that runs are started on.
func (c *Client) Routing(ctx context.Context) (Routing, error) {
	d, err := c.temporal.DescribeTaskQueue(ctx, c.queue, enumspb.TASK_QUEUE_TYPE_WORKFLOW)
	if err != nil {
		return Routing{}, fmt.Errorf("describe task queue %s: %w", c.queue, Translate(err))
	}
	info := d.GetVersioningInfo()
	return Routing{
		Current: versionOf(info.GetCurrentDeploymentVersion()),
		Ramping: versionOf(info.GetRampingDeploymentVersion()), Percentage: info.GetRampingVersionPercentage(),
		Pollers: PollersOf(d.GetPollers()),
	}, nil
}

// PollersOf reads pollers in Temporal's answer about any queue.
func PollersOf(pollers []*taskqueuepb.PollerInfo) []Poller {
	found := make([]Poller, 0, len(pollers))
	for _, p := range pollers {
		found = append(found, Poller{Identity: p.GetIdentity(), LastSeen: p.GetLastAccessTime().AsTime(), Version: polledAs(p)})
	}
	return found
}

func polledAs(p *taskqueuepb.PollerInfo) Version {
	o := p.GetDeploymentOptions()
	if o.GetWorkerVersioningMode() != enumspb.WORKER_VERSIONING_MODE_VERSIONED {
		return Version{}
	}
	return Version{Deployment: o.GetDeploymentName(), Build: o.GetBuildId()}
}

// Polled says whether a worker polls as the version.
func (r Routing) Polled(v Version) bool {
	return slices.ContainsFunc(r.Pollers, func(p Poller) bool { return p.Version == v })
}

// Sends says whether workers of the version get runs that are not pinned.
func (r Routing) Sends(to Version) bool {
	return r.Current == to || r.Percentage > 0 && r.Ramping == to
}

// Serves says whether a worker is there that gets the runs which are pinned to
// the version, or with the zero Version those which are not pinned.
func (r Routing) Serves(pinned Version) bool {
	return slices.ContainsFunc(r.Pollers, func(p Poller) bool {
		return p.Version == pinned && !pinned.IsZero() || pinned.IsZero() && r.Sends(p.Version)
	})
}

// Pinned returns the version that a run is pinned to, or the zero Version when it
// goes to whichever is current.
func (c *Client) Pinned(ctx context.Context, runID string) (Version, error) {
	d, err := c.temporal.DescribeWorkflow(ctx, runID, "")
	if err != nil {
		return Version{}, fmt.Errorf("run %s: %w", runID, Translate(err))
	}
	override := d.RawResponse.GetWorkflowExecutionInfo().GetVersioningInfo().GetVersioningOverride()
	return versionOf(override.GetPinned().GetVersion()), nil
}

// OpenPinnedRuns lists the open runs that were pinned to a version. A server that
// knows no deployments has none.
func (c *Client) OpenPinnedRuns(ctx context.Context, visit func([]Listed) error) error {
	err := c.list(ctx, fmt.Sprintf("WorkflowType = '%s' AND ExecutionStatus = 'Running' AND TemporalWorkflowVersioningBehavior = 'Pinned'",
		history.WorkflowType), visit)
	var unknown *serviceerror.InvalidArgument
	if errors.As(err, &unknown) {
		return nil
	}
	return err
}
