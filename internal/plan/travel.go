package plan

import (
	"slices"

	"github.com/tutti-dev/tutti/internal/content"
	"github.com/tutti-dev/tutti/internal/history"
	"github.com/tutti-dev/tutti/internal/run"
)

// travel writes the input of a run. Its inline text stays within one budget:
// each text over the inline limit goes by reference, and then the longest of the
// others until the rest fits. keep holds what goes by reference.
func travel(w Wish, p run.Plan) (in history.RunInput, keep map[string]string) {
	in = history.RunInput{
		TenantID: w.TenantID, PrincipalID: w.PrincipalID,
		Request: content.Of(w.Request), Summary: run.Summarize(w.Request),
		Chain: p.Chain.Name, Backend: commonBackend(p), Plan: &p,
	}
	if in.Summary == "" {
		in.Summary = "(attached files)"
	}
	for _, a := range w.Attachments {
		in.Attachments = append(in.Attachments, history.NamedText{Name: a.Name, Text: content.Of(a.Text)})
	}
	return in, refer(texts(&in))
}

// texts lists every text of the input, to be changed in place.
func texts(in *history.RunInput) []*content.Text {
	list := []*content.Text{&in.Request}
	for i := range in.Attachments {
		list = append(list, &in.Attachments[i].Text)
	}
	for i := range in.Plan.Specialists {
		list = append(list, &in.Plan.Specialists[i].Prompt)
	}
	return list
}

func refer(list []*content.Text) (keep map[string]string) {
	keep = make(map[string]string)
	total := 0
	for _, t := range list {
		total += t.Size
	}
	longestFirst := slices.Clone(list)
	slices.SortStableFunc(longestFirst, func(a, b *content.Text) int { return b.Size - a.Size })
	for _, t := range longestFirst {
		if t.Size <= content.InlineLimit && total <= history.InputLimit {
			break
		}
		keep[t.SHA256] = t.Inline
		total -= t.Size
		*t = t.Ref()
	}
	return keep
}

func commonBackend(p run.Plan) string {
	backend := ""
	for _, t := range p.Tasks {
		if backend != "" && backend != string(t.Backend) {
			return "mixed"
		}
		backend = string(t.Backend)
	}
	return backend
}
