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
	r.Request.Text = short(r.Request.Text)
	r.FinalMessage = short(r.FinalMessage)
	r.Tasks = slices.Clone(r.Tasks)
	for i := range r.Tasks {
		t := &r.Tasks[i]
		t.Output = short(t.Output)
		if p := t.Prompt; p != nil {
			t.Prompt = &run.PromptRef{System: shortText(p.System), User: shortText(p.User)}
		}
		if p := t.HostPrompt; p != nil {
			t.HostPrompt = &run.HostPrompt{System: short(p.System), User: short(p.User)}
		}
	}
	return r
}

func short(s string) string {
	if len(s) > ListingTextLimit {
		return ""
	}
	return s
}

func shortText(t content.Text) content.Text {
	t.Inline = short(t.Inline)
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
