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
		if len(t.Reasoning) > queryTextLimit {
			t.Reasoning = ""
		}
		if t.Prompt != nil {
			t.Prompt = &PromptRef{System: t.Prompt.System.Ref(), User: t.Prompt.User.Ref()}
		}
	}
	c.showPrompts(r.Tasks)
	return c
}

// hostPromptLimit bounds the prompts that a bounded record shows in all.
const hostPromptLimit = 64 << 10

// showPrompts puts the prompts that hosts wait for where the Temporal CLI and Web
// UI show them, as far as they are at hand and fit.
func (r *Record) showPrompts(from []Task) {
	left := hostPromptLimit
	for i := range r.Tasks {
		t := &r.Tasks[i]
		if t.Status != TaskAwaitingHost {
			t.HostPrompt = nil
			continue
		}
		prompt := from[i].Prompt
		if prompt == nil || prompt.System.IsRef() || prompt.User.IsRef() {
			continue
		}
		if size := prompt.System.Size + prompt.User.Size; size <= left {
			t.HostPrompt = &HostPrompt{System: prompt.System.Inline, User: prompt.User.Inline}
			left -= size
		}
	}
}
