package runs

import (
	"context"
	"errors"
	"fmt"

	commonpb "go.temporal.io/api/common/v1"
	enumspb "go.temporal.io/api/enums/v1"
	historypb "go.temporal.io/api/history/v1"
	"go.temporal.io/api/workflowservice/v1"

	"github.com/tutti-dev/tutti/internal/history"
	"github.com/tutti-dev/tutti/internal/ledger"
)

// Archive has the histories of closed runs that Temporal may have forgotten.
// LoadHistory returns ledger.ErrNoHistory when it has none of the run.
type Archive interface {
	LoadHistory(ctx context.Context, tenant, runID string) (ledger.History, error)
}

// Whole is a run's whole history, from Temporal or from the archive.
type Whole struct {
	RunID, TemporalRunID string
	Events               []*historypb.HistoryEvent
	// Archived says that it comes from the archive: Temporal has forgotten the run.
	Archived bool
}

// Fold folds the history.
func (c *Client) Fold(w Whole) (history.Folded, error) {
	folded, err := history.Fold(w.RunID, w.TemporalRunID, w.Events, c.converter)
	if err != nil {
		return folded, fmt.Errorf("fold %s: %w", w.RunID, err)
	}
	return folded, nil
}

// Whole reads the current history of a run from Temporal, whoever's it is. Temporal
// hands out the current one when it is not asked for another, and the pages that
// follow are of the same; so which one it was is read from the history.
func (c *Client) Whole(ctx context.Context, runID string) (Whole, error) {
	w := Whole{RunID: runID}
	request := &workflowservice.GetWorkflowExecutionHistoryRequest{
		Namespace: c.namespace, Execution: &commonpb.WorkflowExecution{WorkflowId: runID},
		HistoryEventFilterType: enumspb.HISTORY_EVENT_FILTER_TYPE_ALL_EVENT,
	}
	for {
		page, err := c.page(ctx, request)
		if err != nil {
			return Whole{}, fmt.Errorf("read the history of %s: %w", runID, Translate(err))
		}
		w.Events = append(w.Events, page.GetHistory().GetEvents()...)
		if request.NextPageToken = page.GetNextPageToken(); len(request.NextPageToken) == 0 {
			break
		}
	}
	identity := history.IdentityOf(w.Events)
	if identity.WorkflowType != history.WorkflowType {
		return Whole{}, notOurs(runID)
	}
	w.TemporalRunID = identity.TemporalRunID
	return w, nil
}

// Archived reads the history of a run from the archive. The error is ErrNotFound
// when that has none, or when there is no archive.
func (c *Client) Archived(ctx context.Context, tenant, runID string) (Whole, error) {
	if c.archive == nil {
		return Whole{}, fmt.Errorf("run %s: %w", runID, ErrNotFound)
	}
	h, err := c.archive.LoadHistory(ctx, tenant, runID)
	if errors.Is(err, ledger.ErrNoHistory) {
		return Whole{}, fmt.Errorf("run %s: %w: Temporal and the archive have none", runID, ErrNotFound)
	}
	if err != nil {
		return Whole{}, fmt.Errorf("temporal has no run %s, and its archive: %w", runID, err)
	}
	events, err := history.Unpack(h.Codec, h.Body)
	if err != nil {
		return Whole{}, fmt.Errorf("the archived history of %s: %w", runID, err)
	}
	return Whole{RunID: runID, TemporalRunID: h.TemporalRunID, Events: events, Archived: true}, nil
}

// archived folds a run that Temporal does not have. Of a run of another tenant
// the archive has nothing, because it is asked by tenant; then Temporal's own
// answer stands.
func (c *Client) archived(ctx context.Context, tenant, runID string, notFound error) (history.Folded, error) {
	w, err := c.Archived(ctx, tenant, runID)
	if errors.Is(err, ErrNotFound) {
		err = notFound
	}
	if err != nil {
		return history.Folded{}, err
	}
	return c.Fold(w)
}

// usedBefore asks the archive whether the key of a run was used before Temporal's
// retention. A store that cannot be asked holds no run up: the answer is no, with
// a warning.
func (c *Client) usedBefore(ctx context.Context, tenant, runID, asked string) (used bool, warning string, err error) {
	w, err := c.Archived(ctx, tenant, runID)
	switch {
	case errors.Is(err, ErrNotFound):
		return false, "", nil
	case err != nil && ctx.Err() == nil:
		return false, "the archive could not be asked, so the key may have been used for a run that Temporal has forgotten", nil
	case err != nil:
		return false, "", err
	}
	return true, "", sameRequest(runID, history.MemoOf(w.Events), asked)
}
