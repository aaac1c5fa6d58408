package run

import "slices"

// queryTextLimit is the size up to which a text stands in a bounded record.
const queryTextLimit = 1 << 10

// Bounded is a copy in which longer texts stand as digest and size only, for
// answers and lists that must stay small.
func (r *Record) Bounded() Record {
	c := *r
	if len(c.Request.Text) > queryTextLimit {
		c.Request.Text = ""
	}
	if len(c.FinalMessage) > queryTextLimit {
		c.FinalMessage = ""
	}
	c.Tasks = slices.Clone(r.Tasks)
	for i := range c.Tasks {
		t := &c.Tasks[i]
		if len(t.Output) > queryTextLimit {
			t.Output = ""
		}
		if t.Prompt != nil {
			t.Prompt = &PromptRef{System: t.Prompt.System.Ref(), User: t.Prompt.User.Ref()}
		}
	}
	return c
}
