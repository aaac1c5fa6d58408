package bench_test

import (
	"fmt"
	"strings"

	"github.com/tutti-dev/tutti/internal/content"
	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/specialist"
)

// model answers after the provider's own time, which is the same for all.
const (
	model      = "echo-20"
	providerMS = 20
)

// request and persona are as long as people's are.
var (
	request = "Please review how our service retries its payments: " + strings.Repeat("it must not charge anybody twice. ", 10)
	persona = "You are a careful specialist of a small team. " + strings.Repeat("Say what you see, what it means and what to do next. ", 12)
)

// shape is a chain as all sides run it.
type shape struct {
	name  string
	tasks int
	// parallel says that no task needs another; else each needs all before it.
	parallel bool
	// waits says that the one task waits for somebody outside.
	waits bool
}

func chain3() shape  { return shape{name: "chain of 3", tasks: 3} }
func chain10() shape { return shape{name: "chain of 10", tasks: 10} }
func fanOut8() shape { return shape{name: "fan-out of 8", tasks: 8, parallel: true} }
func waiting() shape { return shape{name: "waiting", tasks: 1, waits: true} }

// steps is how many calls follow one upon the other.
func (s shape) steps() int {
	if s.parallel {
		return 1
	}
	return s.tasks
}

func (s shape) backend() run.Backend {
	if s.waits {
		return run.BackendHost
	}
	return run.BackendProvider
}

func taskID(i int) string { return fmt.Sprintf("engineer-%d", i+1) }

// plan is the shape as `tutti submit` would resolve it.
func (s shape) plan() run.Plan {
	p := run.Plan{
		Chain:        run.ChainRef{Name: strings.ReplaceAll(s.name, " ", "-"), Version: "1.0.0+h0123456789ab"},
		PromptFormat: specialist.PromptFormat,
		Specialists: []run.PinnedSpecialist{{
			SpecialistRef: run.SpecialistRef{Name: "engineer", ID: "5f0c1e0a-0000-5000-8000-000000000000", Version: "1.0.0+h0123456789ab"},
			Prompt:        content.Of(persona),
		}},
	}
	for i := range s.tasks {
		task := run.PlannedTask{ID: taskID(i), Specialist: "engineer", Backend: s.backend()}
		if !s.waits {
			task.ModelChoice = run.ModelChoice{Provider: providerName, Model: model}
		}
		for j := 0; j < i && !s.parallel; j++ {
			task.Needs = append(task.Needs, taskID(j))
		}
		p.Tasks = append(p.Tasks, task)
	}
	return p
}

// job is the shape for the workflows that are written by hand.
func (s shape) job() job {
	j := job{Request: request, Waits: s.waits}
	for i := range s.tasks {
		one := step{ID: taskID(i), System: persona, Model: model}
		if s.waits {
			one.Model = ""
		}
		if s.parallel && i > 0 {
			j.Stages[0] = append(j.Stages[0], one)
			continue
		}
		j.Stages = append(j.Stages, []step{one})
	}
	return j
}
