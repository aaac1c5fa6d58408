package runs

import (
	"fmt"

	deploymentpb "go.temporal.io/api/deployment/v1"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/worker"
)

// Version is one build of a deployment: what workers poll as and what runs are
// pinned to. The zero Version stands for workers without a deployment.
type Version struct {
	Deployment, Build string
}

// IsZero says that the version stands for workers without a deployment.
func (v Version) IsZero() bool { return v == Version{} }

// String names the version in a sentence.
func (v Version) String() string {
	if v.IsZero() {
		return "a worker without a deployment"
	}
	return fmt.Sprintf("build %s of deployment %s", v.Build, v.Deployment)
}

// Polling is the version as workers give it to the SDK.
func (v Version) Polling() worker.WorkerDeploymentVersion {
	return worker.WorkerDeploymentVersion{DeploymentName: v.Deployment, BuildID: v.Build}
}

// override is what keeps a run at the version; the zero Version keeps it nowhere.
func (v Version) override() client.VersioningOverride {
	if v.IsZero() {
		return nil
	}
	return &client.PinnedVersioningOverride{Version: v.Polling()}
}

// versionOf reads a version in any of Temporal's answers; nil is the zero Version.
func versionOf(p *deploymentpb.WorkerDeploymentVersion) Version {
	return Version{Deployment: p.GetDeploymentName(), Build: p.GetBuildId()}
}
