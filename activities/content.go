package activities

import (
	"context"

	"github.com/tutti-dev/tutti/internal/content"
	"github.com/tutti-dev/tutti/internal/history"
	"github.com/tutti-dev/tutti/internal/txscope"
)

// StoreContent moves a host's long raw result into the content store.
func (a *Activities) StoreContent(ctx context.Context, in history.StoreInput) (history.StoreResult, error) {
	ctx = txscope.New(ctx)
	_, stop := a.beat(ctx)
	defer stop()
	text, err := content.Keep(ctx, a.d.Store, in.TenantID, in.Text, content.InlineLimit)
	if err != nil {
		return history.StoreResult{}, a.fail(ctx, history.TaskInput{RunID: in.RunID, TaskID: in.TaskID}, err, history.FailureDetail{})
	}
	return history.StoreResult{Text: text}, nil
}
