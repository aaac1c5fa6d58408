package cli

import (
	"cmp"
	"context"

	"github.com/tutti-dev/tutti/internal/content"
	"github.com/tutti-dev/tutti/internal/run"
)

// hydrate fills in what a record leaves to its readers: texts that stand in the
// content store, the prompts that hosts wait for, the final message. It fills
// in what it can; the error is about the first text that could not be had.
func (c *command) hydrate(ctx context.Context, r *run.Record) error {
	h := hydration{texts: c.textsOf(r)}
	h.fill(ctx, "the request", &r.Request.Text, content.Text{
		SHA256: r.Request.TextSHA256, Size: r.Request.TextSize, Inline: r.Request.Text,
	})
	for i := range r.Tasks {
		t := &r.Tasks[i]
		h.fill(ctx, "the output of "+t.ID, &t.Output, t.OutputText())
		if t.Status == run.TaskAwaitingHost && t.Prompt != nil && t.HostPrompt == nil {
			t.HostPrompt = &run.HostPrompt{}
			h.fill(ctx, "the prompt of "+t.ID, &t.HostPrompt.System, t.Prompt.System)
			h.fill(ctx, "the prompt of "+t.ID, &t.HostPrompt.User, t.Prompt.User)
		}
	}
	if r.Status.IsTerminal() && r.FinalMessage == "" {
		r.FinalMessage = r.ComposeFinalMessage()
	}
	return h.err
}

// hydration remembers what went wrong first.
type hydration struct {
	texts *texts
	err   error
}

func (h *hydration) fill(ctx context.Context, what string, into *string, text content.Text) {
	fetched, err := h.texts.fetch(ctx, what, text)
	if err == nil {
		*into = fetched
		return
	}
	h.err = cmp.Or(h.err, err)
}
