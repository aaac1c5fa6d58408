package chain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tutti-dev/tutti/internal/definition"
)

// check notes what is wrong with the graph: IDs, needs and cycles.
func (r *reader) check() {
	byID := r.ids()
	for i, t := range r.out.Tasks {
		seen := map[string]bool{}
		for j, need := range t.Needs {
			at := r.places[i].needs[j]
			switch {
			case need == t.ID:
				r.report.Add(at, "task "+definition.Quote(t.ID)+" needs itself", "remove it from its own needs")
			case seen[need]:
				r.report.Add(at, "task "+definition.Quote(t.ID)+" needs "+definition.Quote(need)+" twice", "keep one of them")
			case !byID[need]:
				r.unknownNeed(at, t, need)
			}
			seen[need] = true
		}
	}
	for _, cycle := range Cycles(r.out.Tasks) {
		first := slices.IndexFunc(r.out.Tasks, func(t Task) bool { return t.ID == cycle[0] })
		r.report.Add(r.places[first].task, "the tasks wait for each other: "+strings.Join(cycle, " needs "),
			"remove one of these needs")
	}
}

// ids returns the IDs of the chain's tasks and notes those that stand twice or
// have become too long.
func (r *reader) ids() map[string]bool {
	byID := map[string]bool{}
	for i, t := range r.out.Tasks {
		at := r.places[i].id
		switch {
		case t.ID == "": // Its own problem is noted already.
		case !idPattern.MatchString(t.ID):
			r.report.Add(at, "the task's ID would be "+definition.Quote(t.ID), "give it a shorter one with id:")
		case byID[t.ID]:
			r.report.Add(at, "the ID "+definition.Quote(t.ID)+" stands twice", "give one of the tasks another id")
		}
		byID[t.ID] = true
	}
	return byID
}

func (r *reader) unknownNeed(at definition.Pos, t Task, need string) {
	var others []string
	for _, other := range r.out.Tasks {
		if other.ID != t.ID && other.ID != "" {
			others = append(others, other.ID)
		}
	}
	next := "write the ID of another task: " + strings.Join(others, ", ")
	switch near := definition.Near(need, others); {
	case len(near) > 0:
		next = "did you mean " + near[0] + "?"
	case len(others) == 0:
		next = "remove it: the chain has no other task"
	}
	r.report.Add(at, fmt.Sprintf("task %s needs %s, which does not exist", definition.Quote(t.ID), definition.Quote(need)), next)
}

// Cycles returns the cycles that a walk along the needs meets, each as the IDs
// from a task back to itself. It is empty exactly if the tasks can all be run in
// some order. A task that needs itself is not counted.
func Cycles(tasks []Task) [][]string {
	w := &walk{tasks: map[string]Task{}, state: map[string]visit{}}
	for _, t := range tasks {
		w.tasks[t.ID] = t
	}
	for _, t := range tasks {
		if w.state[t.ID] == unseen {
			w.enter(t.ID)
		}
	}
	return w.cycles
}

// visit is how far the walk has come with a task.
type visit int

const (
	unseen visit = iota
	onPath
	left
)

// walk goes through a graph in depth, by at most MaxTasks steps down.
type walk struct {
	tasks  map[string]Task
	state  map[string]visit
	path   []string
	cycles [][]string
}

func (w *walk) enter(id string) {
	w.state[id] = onPath
	defer func() { w.state[id] = left }()
	w.path = append(w.path, id)
	defer func() { w.path = w.path[:len(w.path)-1] }()
	for _, need := range w.tasks[id].Needs {
		_, exists := w.tasks[need]
		switch {
		case !exists || need == id:
		case w.state[need] == onPath:
			from := slices.Index(w.path, need)
			w.cycles = append(w.cycles, append(slices.Clone(w.path[from:]), need))
		case w.state[need] == unseen:
			w.enter(need)
		}
	}
}
