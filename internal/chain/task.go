package chain

import (
	"fmt"
	"regexp"
	"strconv"

	"github.com/tutti-dev/tutti/internal/definition"
)

// taskKeys are the keys of a task, in the order in which they are usually
// written.
func taskKeys() []string {
	return []string{"id", "specialist", "needs", "backend", "provider", "model", "onUpstreamFailure", "reason"}
}

// wordPattern is what the name of a specialist or a provider can be.
var wordPattern = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]{0,63}$`)

// task reads one task. A task that cannot be read is still counted, so that the
// sequence numbers of the others are those of the file.
func (r *reader) task(node definition.Node) {
	t := Task{Seq: len(r.out.Tasks) + 1, OnUpstreamFailure: OnFailureSkip, at: node.Pos}
	p := places{task: node.Pos, id: node.Pos}
	seen := false
	if node.Kind == definition.Map {
		for _, f := range r.report.Duplicates(node.Fields) {
			seen = seen || f.Key == "specialist"
			r.taskField(f, &t, &p)
		}
	}
	if !seen {
		r.report.Add(node.Pos, fmt.Sprintf("task %d names no specialist", t.Seq), "add a line like specialist: engineer")
	}
	r.out.Tasks = append(r.out.Tasks, t)
	r.places = append(r.places, p)
}

func (r *reader) taskField(f definition.Field, t *Task, p *places) {
	switch f.Key {
	case "id":
		t.ID, p.id = r.word(f, idPattern, "use up to 64 lower-case letters, digits, dots, dashes and underscores"), f.Value.Pos
	case "specialist":
		t.Specialist, t.at = r.word(f, wordPattern, "write the name of a specialist, as tutti specialist list shows it"), f.Value.Pos
	case "needs":
		r.needs(f, t, p)
	case "backend":
		t.Backend = r.report.Choice(f, Backends()...)
	case "provider":
		t.Provider = r.word(f, wordPattern, "write the name of a provider, like openrouter")
	case "model":
		if t.Model = r.report.Text(f); t.Model != "" && !definition.ValidModel(t.Model) {
			r.report.Add(f.Value.Pos, "model "+definition.Quote(t.Model)+" is not the name of a model",
				"write one name without spaces, like anthropic/claude-sonnet-4.5")
		}
	case "onUpstreamFailure":
		t.OnUpstreamFailure = r.report.Choice(f, OnFailureSkip, OnFailureContinue)
	case "reason":
		t.Reason = r.prose(f)
	default:
		r.report.UnknownKey(f, taskKeys())
	}
}

// word reads a name that must fit a pattern.
func (r *reader) word(f definition.Field, pattern *regexp.Regexp, next string) string {
	word := r.report.Text(f)
	if word != "" && !pattern.MatchString(word) {
		r.report.Add(f.Value.Pos, f.Key+" "+definition.Quote(word)+" cannot be used", next)
		return ""
	}
	return word
}

func (r *reader) needs(f definition.Field, t *Task, p *places) {
	if f.Value.Kind == definition.Null {
		return // "needs:" with nothing after it is a task that needs nothing.
	}
	for _, item := range r.report.Texts(f) {
		t.Needs = append(t.Needs, item.Text)
		p.needs = append(p.needs, item.Pos)
	}
	if len(t.Needs) > MaxNeeds {
		r.report.Add(f.Value.Pos, fmt.Sprintf("task %d needs %d tasks", t.Seq, len(t.Needs)),
			fmt.Sprintf("name at most %d; let a task in between collect their results", MaxNeeds))
	}
}

// nameTasks gives an ID to every task that has none: its specialist's name, with
// a number from 2 where that is taken. IDs that were written are taken first, so
// that a default never makes one of them a duplicate.
func nameTasks(tasks []Task) {
	taken := map[string]bool{}
	for _, t := range tasks {
		taken[t.ID] = true
	}
	for i := range tasks {
		if tasks[i].ID != "" || tasks[i].Specialist == "" {
			continue
		}
		id := tasks[i].Specialist
		for n := 2; taken[id]; n++ {
			id = tasks[i].Specialist + "-" + strconv.Itoa(n)
		}
		taken[id] = true
		tasks[i].ID = id
	}
}
