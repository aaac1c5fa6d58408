package app

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"

	"github.com/tutti-dev/tutti/internal/runs"
)

const (
	// registering bounds how long a worker waits until Temporal knows its version.
	registering = 10 * time.Second
	// registeringLook is how often it asks.
	registeringLook = 100 * time.Millisecond
)

// version is the configured build of the workers, zero where none is configured.
func (a *App) version() runs.Version {
	return runs.Version{Deployment: a.Config.Deployment.Name, Build: a.Config.Deployment.BuildID}
}

// versioning is how a worker polls: as its version of the configured deployment,
// or, where none is configured, as if there were no deployments. Runs wait for
// weeks, so they go on under whichever version is current; a run that is to stay
// is pinned when it is started.
func (a *App) versioning() worker.DeploymentOptions {
	if !a.Config.Deployment.IsSet() {
		return worker.DeploymentOptions{}
	}
	return worker.DeploymentOptions{
		UseVersioning: true, Version: a.version().Polling(),
		DefaultVersioningBehavior: workflow.VersioningBehaviorAutoUpgrade,
	}
}

// Polling says as what a worker polls, and whether runs come to it.
type Polling struct {
	Queue string
	// Version is zero without a deployment.
	Version runs.Version
	// Routing is to whom Temporal gives runs; Known that it could be asked.
	Routing runs.Routing
	Known   bool
}

// String is what a worker does, in a sentence.
func (p Polling) String() string {
	if p.Version.IsZero() {
		return "polls task queue " + p.Queue
	}
	return fmt.Sprintf("polls task queue %s as %s", p.Queue, p.Version)
}

// Advice says what to do so that all runs come to this worker, or nothing where
// they do. Only whoever deploys knows when it is time, so that no worker does it.
func (p Polling) Advice() string {
	switch {
	case p.Version.IsZero() || !p.Known || p.Routing.Sends(p.Version):
		return ""
	case p.Routing.Current.IsZero():
		return fmt.Sprintf("no build of deployment %s is current, so only runs pinned to this one come here; to send it all others, run: %s",
			p.Version.Deployment, MakeCurrentCommand(p.Version))
	default:
		return fmt.Sprintf("%s is current, so only runs pinned to this one come here; to send it all others, run: %s",
			p.Routing.Current, MakeCurrentCommand(p.Version))
	}
}

// MakeCurrentCommand is the official CLI's command that sends all runs which are
// not pinned to a version.
func MakeCurrentCommand(v runs.Version) string {
	return fmt.Sprintf("temporal worker deployment set-current-version --deployment-name %s --build-id %s",
		shellWord(v.Deployment), shellWord(v.Build))
}

// shellWord quotes a text so that a shell takes it as one word.
func shellWord(text string) string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.:/+@%="
	if text != "" && strings.Trim(text, plain) == "" {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

// polling waits until Temporal knows this worker's version on every queue, so
// that it can be made current from then on, and reads which one is.
func (a *App) polling(ctx context.Context, c client.Client, namespace string, o WorkerOptions) Polling {
	p := Polling{Queue: a.Config.TaskQueue, Version: a.version()}
	if p.Version.IsZero() {
		return p
	}
	err := a.registered(ctx, c, o)
	if err == nil && o.MakeCurrent {
		_, err = c.WorkerDeploymentClient().GetHandle(p.Version.Deployment).SetCurrentVersion(ctx,
			client.WorkerDeploymentSetCurrentVersionOptions{BuildID: p.Version.Build, IgnoreMissingTaskQueues: true})
	}
	if err != nil {
		a.env.Log.Warn("the deployment could not be looked at", "deployment", p.Version.Deployment, "error", err)
	}
	p.Routing, err = a.runsOf(c, namespace).Routing(ctx)
	p.Known = err == nil
	return p
}

// registered waits for the version to have every queue that this worker polls.
func (a *App) registered(ctx context.Context, c client.Client, o WorkerOptions) error {
	ctx, cancel := context.WithTimeout(ctx, registering)
	defer cancel()
	handle := c.WorkerDeploymentClient().GetHandle(a.version().Deployment)
	tick := time.NewTicker(registeringLook)
	defer tick.Stop()
	for {
		d, err := handle.DescribeVersion(ctx, client.WorkerDeploymentDescribeVersionOptions{BuildID: a.version().Build})
		if err == nil && a.allOf(d.Info.TaskQueuesInfos, o) {
			return nil
		}
		select {
		case <-ctx.Done():
			return errors.Join(ctx.Err(), err)
		case <-tick.C:
		}
	}
}

func (a *App) allOf(known []client.WorkerDeploymentTaskQueueInfo, o WorkerOptions) bool {
	var polled []client.WorkerDeploymentTaskQueueInfo
	if o.Only != "activities" {
		polled = append(polled, client.WorkerDeploymentTaskQueueInfo{Name: a.Config.TaskQueue, Type: client.TaskQueueTypeWorkflow})
	}
	if o.Only != "workflows" {
		polled = append(polled, client.WorkerDeploymentTaskQueueInfo{Name: a.Config.TaskQueue, Type: client.TaskQueueTypeActivity})
		for _, p := range a.limitedProviders() {
			polled = append(polled, client.WorkerDeploymentTaskQueueInfo{Name: p.queue, Type: client.TaskQueueTypeActivity})
		}
	}
	return !slices.ContainsFunc(polled, func(q client.WorkerDeploymentTaskQueueInfo) bool { return !slices.Contains(known, q) })
}
