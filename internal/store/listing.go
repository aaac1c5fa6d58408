package store

import (
	"slices"
	"time"

	"github.com/tutti-dev/tutti/internal/content"
	"github.com/tutti-dev/tutti/internal/run"
)

// ListingTextLimit is the size above which a text is left out of a page.
const ListingTextLimit = 1 << 10

// Listing returns the record as it stands on a page: texts over
// ListingTextLimit are left out, their digests and sizes stay.
func Listing(r run.Record) run.Record {
	var c cutter
	return c.listing(r)
}

// cutter leaves long texts out, and knows whether there was one.
type cutter struct{ cut bool }

func (c *cutter) listing(r run.Record) run.Record {
	r.Request.Text = c.short(r.Request.Text)
	r.FinalMessage = c.short(r.FinalMessage)
	r.Tasks = slices.Clone(r.Tasks)
	for i := range r.Tasks {
		t := &r.Tasks[i]
		t.Output = c.short(t.Output)
		if p := t.Prompt; p != nil {
			t.Prompt = &run.PromptRef{System: c.shortText(p.System), User: c.shortText(p.User)}
		}
		if p := t.HostPrompt; p != nil {
			t.HostPrompt = &run.HostPrompt{System: c.short(p.System), User: c.short(p.User)}
		}
	}
	return r
}

func (c *cutter) short(s string) string {
	if len(s) > ListingTextLimit {
		c.cut = true
		return ""
	}
	return s
}

func (c *cutter) shortText(t content.Text) content.Text {
	t.Inline = c.short(t.Inline)
	return t
}

// PlaceOf is a run's place in the list. A record without times, as the
// workflow's own, stands at the end.
func PlaceOf(r *run.Record) Cursor {
	created := time.Unix(0, 0)
	if r.CreatedAt != nil {
		created = *r.CreatedAt
	}
	return Cursor{CreatedAt: Micro(created), RunID: r.RunID}
}

// Compare is negative when c stands before d in the list, which is newest first.
func (c Cursor) Compare(d Cursor) int {
	if order := d.CreatedAt.Compare(c.CreatedAt); order != 0 {
		return order
	}
	switch {
	case c.RunID > d.RunID:
		return -1
	case c.RunID < d.RunID:
		return 1
	}
	return 0
}
