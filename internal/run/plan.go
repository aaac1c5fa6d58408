package run

import "github.com/tutti-dev/tutti/internal/content"

// Plan is what a run was submitted with, pinned: chain, specialists by version,
// backends, models, limits. A run keeps it whatever changes on disk later.
type Plan struct {
	Chain        ChainRef           `json:"chain"`
	Rationale    string             `json:"rationale,omitempty"`
	PromptFormat int                `json:"promptFormat"`
	Execution    Execution          `json:"execution"`
	Budget       Budget             `json:"budget"`
	Warnings     []string           `json:"warnings,omitempty"`
	Specialists  []PinnedSpecialist `json:"specialists"`
	Tasks        []PlannedTask      `json:"tasks"`
	// HostTimeoutMS bounds the wait for a host; 0 means that it may last for weeks.
	HostTimeoutMS int64 `json:"hostTimeoutMs,omitempty"`
}

// PinnedSpecialist is a specialist as the run uses it: its system prompt and
// what else shapes its calls.
type PinnedSpecialist struct {
	SpecialistRef
	Prompt      content.Text `json:"prompt"`
	Tools       []string     `json:"tools,omitempty"`
	MaxTokens   int          `json:"maxTokens,omitempty"`
	Temperature *float64     `json:"temperature,omitempty"`
	Reasoning   string       `json:"reasoning,omitempty"`
	Effort      string       `json:"effort,omitempty"`
	// Extras are members of the request that a vendor understands.
	Extras map[string]any `json:"extras,omitempty"`
}

// PlannedTask is a task before anything happened. Its place in the list is its seq.
type PlannedTask struct {
	ID         string   `json:"id"`
	Specialist string   `json:"specialist"`
	Needs      []string `json:"needs,omitempty"`
	Reason     string   `json:"reason,omitempty"`
	Backend    Backend  `json:"backend"`
	Continue   bool     `json:"continue,omitempty"`

	ModelChoice
	// Fallbacks are asked in order, after the retries of a transient failure.
	Fallbacks []ModelChoice `json:"fallbacks,omitempty"`
}

// ModelChoice is a model with what its calls need: where, how and at what price.
type ModelChoice struct {
	Provider string `json:"provider,omitempty"`
	Model    string `json:"model,omitempty"`
	// Queue is the provider's own task queue, where a rate holds across workers.
	Queue string `json:"queue,omitempty"`
	// Ceiling bounds the answer's tokens, reasoning included. It is sent to the
	// provider and taken for the estimate.
	Ceiling int    `json:"ceiling,omitempty"`
	Price   *Price `json:"price,omitempty"`
	Limits  Limits `json:"limits"`
}

// Name is the model as people read it.
func (m ModelChoice) Name() string { return m.Provider + "/" + m.Model }

// Limits bound one task's calls; the values are resolved before the start.
type Limits struct {
	TimeoutMS        int64 `json:"timeoutMs,omitempty"`
	MaxAttempts      int   `json:"maxAttempts,omitempty"`
	InitialBackoffMS int64 `json:"initialBackoffMs,omitempty"`
	MaxBackoffMS     int64 `json:"maxBackoffMs,omitempty"`
	// ParkMS is how long a task may wait for a provider's quota; 0 means never.
	ParkMS int64 `json:"parkMs,omitempty"`
}

// Specialist returns the pinned specialist of that name, or nil.
func (p *Plan) Specialist(name string) *PinnedSpecialist {
	for i := range p.Specialists {
		if p.Specialists[i].Name == name {
			return &p.Specialists[i]
		}
	}
	return nil
}

func (p *Plan) tasks() []Task {
	tasks := make([]Task, 0, len(p.Tasks))
	for i, planned := range p.Tasks {
		task := Task{
			ID: planned.ID, Seq: i + 1, Needs: planned.Needs, Reason: planned.Reason,
			Backend: planned.Backend, Status: TaskQueued,
			Provider: planned.Provider, Model: planned.Model,
			ContinueOnUpstreamFailure: planned.Continue,
			Specialist:                SpecialistRef{Name: planned.Specialist},
		}
		if s := p.Specialist(planned.Specialist); s != nil {
			task.Specialist = s.SpecialistRef
			if task.Backend == BackendHost {
				task.Tools = s.Tools
			}
		}
		tasks = append(tasks, task)
	}
	return tasks
}
