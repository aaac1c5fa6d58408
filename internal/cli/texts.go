package cli

import (
	"context"
	"errors"

	"github.com/tutti-dev/tutti/internal/app"
	"github.com/tutti-dev/tutti/internal/content"
	"github.com/tutti-dev/tutti/internal/run"
)

// texts fetches the texts of a run. Most of them stand in its history; the
// content store is opened for the others only.
type texts struct {
	app    *app.App
	tenant string
	// down is why the store could not be asked; it is not asked again.
	down error
}

func (c *command) textsOf(r *run.Record) *texts {
	return &texts{app: c.app, tenant: r.TenantID}
}

// fetch returns one text. What says what it is, for the message when it cannot
// be had.
func (t *texts) fetch(ctx context.Context, what string, text content.Text) (string, error) {
	if !text.IsRef() {
		return text.Inline, nil
	}
	fetched, err := t.fromStore(ctx, text)
	if err != nil {
		return "", textFailure(what, text, err)
	}
	return fetched, nil
}

func (t *texts) fromStore(ctx context.Context, text content.Text) (string, error) {
	if t.down != nil {
		return "", t.down
	}
	var fetched string
	s, _, err := t.app.Store(ctx)
	if err == nil {
		fetched, err = content.Fetch(ctx, s, t.tenant, text)
	}
	if err != nil && !errors.Is(err, content.ErrNotFound) {
		t.down = err
	}
	return fetched, err
}

func textFailure(what string, text content.Text, err error) error {
	f := &failure{
		code: ExitPlatform, err: err,
		message: what + " is in the content store, which cannot be read now",
		next:    "see `tutti doctor`",
	}
	if errors.Is(err, content.ErrNotFound) {
		f.message = what + " (" + short(text.SHA256) + ") is not in this content store"
		f.next = "read it where the run's worker keeps its data, or let both use one database"
	}
	return f
}

// short is as much of a digest as people compare.
func short(sha256 string) string { return sha256[:min(len(sha256), 12)] }
