package runs_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"

	"github.com/tutti-dev/tutti/internal/content"
	"github.com/tutti-dev/tutti/internal/history"
	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/runs"
	"github.com/tutti-dev/tutti/internal/testenv"
)

const patience = time.Minute

// stage is a namespace of the real server in which nobody works, so that every
// run stays as it was started.
type stage struct {
	t         *testing.T
	namespace string
	temporal  client.Client
	runs      *runs.Client
}

func newStage(t *testing.T) *stage {
	t.Helper()
	return stageIn(t, testenv.Namespace(t))
}

func stageIn(t *testing.T, namespace string) *stage {
	t.Helper()
	c := testenv.Dial(t, testenv.Temporal(t), namespace)
	return &stage{t: t, namespace: namespace, temporal: c, runs: runs.New(c, runs.Options{Namespace: namespace})}
}

// wish is a start whose digest stands for what was asked.
func wish(tenant, key, asked string) runs.Start {
	plan := run.Plan{
		Chain: run.ChainRef{Name: "one"}, PromptFormat: 1, Rationale: "because it was asked for",
		Specialists: []run.PinnedSpecialist{{SpecialistRef: run.SpecialistRef{Name: "one"}, Prompt: content.Of("You are one.")}},
		Tasks:       []run.PlannedTask{{ID: "one", Specialist: "one", Backend: run.BackendInline}},
	}
	return runs.Start{
		Input: history.RunInput{
			TenantID: tenant, PrincipalID: "alice", Request: content.Of("please"), Summary: "please",
			Chain: "one", Backend: "inline", Plan: &plan,
		},
		Key: key, Asked: asked,
	}
}

func (s *stage) start(w runs.Start) runs.Started {
	s.t.Helper()
	started, err := s.runs.Start(s.t.Context(), w)
	require.NoError(s.t, err)
	return started
}

// listed waits until visibility, which comes later, lists n runs.
func (s *stage) listed(n int) {
	s.t.Helper()
	testenv.Eventually(s.t, patience, "visibility lists the runs", func() error {
		got := 0
		err := s.runs.AllRuns(s.t.Context(), func(page []runs.Listed) error {
			got += len(page)
			return nil
		})
		if err == nil && got != n {
			err = fmt.Errorf("%d of %d runs", got, n)
		}
		return err
	})
}

// describe is what Temporal itself says of a run.
func (s *stage) describe(runID string) *workflowservice.DescribeWorkflowExecutionResponse {
	s.t.Helper()
	d, err := s.temporal.DescribeWorkflow(s.t.Context(), runID, "")
	require.NoError(s.t, err)
	return d.RawResponse
}
