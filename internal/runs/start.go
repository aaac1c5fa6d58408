package runs

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	commonpb "go.temporal.io/api/common/v1"
	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"

	"github.com/tutti-dev/tutti/internal/content"
	"github.com/tutti-dev/tutti/internal/history"
	"github.com/tutti-dev/tutti/internal/run"
)

// ErrKeyConflict says that the idempotency key was used for another request.
var ErrKeyConflict = errors.New("the idempotency key was used for another request")

// Start is one request to be executed.
type Start struct {
	Input history.RunInput
	// Key is the idempotency key, or empty.
	Key string
	// Asked is the digest of what the user gave, not of what it resolved to.
	Asked string
	// Pin keeps the run at one version of the workers' deployment; the zero Version
	// lets it go on under whichever is current. It says where a run executes, not
	// what was asked for, and so has no part in the digest.
	Pin Version
}

// Started says what became of a Start.
type Started struct {
	RunID        string
	Deduplicated bool
	Warnings     []string
}

// NewRunID returns a fresh run ID.
func NewRunID() string {
	raw := make([]byte, 8)
	_, _ = rand.Read(raw) // It never returns an error; it ends the program instead.
	return "run-" + hex.EncodeToString(raw)
}

// KeyRunID is the run ID that an idempotency key stands for.
func KeyRunID(tenant, principal, key string) string {
	return "run-" + content.Digest(tenant + "\x00" + principal + "\x00" + key)[:16]
}

// Start starts a run once. The same key and digest lead to the same run; the
// same key with another digest is ErrKeyConflict and starts nothing. A caller
// that timed out may have been accepted: starting again with the same key is
// how to find out.
func (c *Client) Start(ctx context.Context, s Start) (Started, error) {
	runID := NewRunID()
	if s.Key != "" {
		runID = KeyRunID(s.Input.TenantID, s.Input.PrincipalID, s.Key)
	}
	started := Started{RunID: runID}
	if s.Key != "" {
		used, warning, err := c.usedBefore(ctx, s.Input.TenantID, runID, s.Asked)
		if err != nil || used {
			started.Deduplicated = used
			return started, err
		}
		if warning != "" {
			started.Warnings = append(started.Warnings, warning)
		}
	}
	options := c.startOptions(runID, s)
	_, err := c.temporal.ExecuteWorkflow(ctx, options, history.WorkflowType, s.Input)
	if isUnknownAttribute(err) {
		started.Warnings = append(started.Warnings,
			"Temporal does not know tutti's search attributes, so the run has none; run `tutti doctor --fix`")
		options.TypedSearchAttributes = temporal.SearchAttributes{}
		_, err = c.temporal.ExecuteWorkflow(ctx, options, history.WorkflowType, s.Input)
	}
	var already *serviceerror.WorkflowExecutionAlreadyStarted
	if errors.As(err, &already) {
		started.Deduplicated = true
		return started, c.compare(ctx, runID, s.Asked)
	}
	if err != nil {
		return Started{}, fmt.Errorf("start %s: %w", runID, Translate(err))
	}
	return started, nil
}

func (c *Client) startOptions(runID string, s Start) client.StartWorkflowOptions {
	chain, backend := s.Input.Chain, s.Input.Backend
	attributes := []temporal.SearchAttributeUpdate{
		temporal.NewSearchAttributeKeyKeyword(history.AttributeTenant).ValueSet(s.Input.TenantID),
		temporal.NewSearchAttributeKeyKeyword(history.AttributeChain).ValueSet(chain),
		temporal.NewSearchAttributeKeyKeyword(history.AttributeBackend).ValueSet(backend),
	}
	return client.StartWorkflowOptions{
		ID: runID, TaskQueue: c.queue,
		WorkflowIDReusePolicy:                    enumspb.WORKFLOW_ID_REUSE_POLICY_REJECT_DUPLICATE,
		WorkflowExecutionErrorWhenAlreadyStarted: true,
		VersioningOverride:                       s.Pin.override(),
		Memo: map[string]any{
			history.MemoRequestSHA256: s.Asked,
			history.MemoSummary:       s.Input.Summary,
		},
		TypedSearchAttributes: temporal.NewSearchAttributes(attributes...),
		StaticSummary:         run.Clip(s.Input.Summary, 180),
		StaticDetails:         details(s.Input),
	}
}

// details is what the Web UI shows of a run before anything happened.
func details(in history.RunInput) string {
	var b strings.Builder
	fmt.Fprintf(&b, "A tutti run of chain **%s** for %s.\n\n", in.Chain, in.PrincipalID)
	if in.Plan == nil {
		return b.String()
	}
	if in.Plan.Rationale != "" {
		fmt.Fprintf(&b, "%s\n\n", in.Plan.Rationale)
	}
	for i, t := range in.Plan.Tasks {
		fmt.Fprintf(&b, "%d. %s (%s)\n", i+1, t.ID, t.Backend)
	}
	return run.Clip(b.String(), 4000)
}

// compare decides whether an existing run is the one that was asked for.
func (c *Client) compare(ctx context.Context, runID, asked string) error {
	d, err := c.temporal.DescribeWorkflow(ctx, runID, "")
	if err != nil {
		return Translate(err)
	}
	return sameRequest(runID, d.RawResponse.GetWorkflowExecutionInfo().GetMemo(), asked)
}

func sameRequest(runID string, memo *commonpb.Memo, asked string) error {
	stored, err := history.RequestDigest(memo)
	if err != nil {
		return fmt.Errorf("run %s: %w", runID, err)
	}
	if stored != asked {
		return fmt.Errorf("%s: %w", runID, ErrKeyConflict)
	}
	return nil
}

// isUnknownAttribute recognises a start that was refused for search attributes
// which the namespace does not have.
func isUnknownAttribute(err error) bool {
	var invalid *serviceerror.InvalidArgument
	return errors.As(err, &invalid) && strings.Contains(invalid.Error(), "Tutti")
}
