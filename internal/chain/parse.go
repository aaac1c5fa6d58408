package chain

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/tutti-dev/tutti/internal/definition"
)

// InvalidError is a chain that was refused, with every problem in it.
type InvalidError = definition.InvalidError

// maxProse bounds a reason and a description, in characters: the reason of every
// task travels in the run's input.
const maxProse = 1000

// Parse reads a chain from the text of a YAML file. label is what messages call
// the file. The error is an *InvalidError; the Chain that comes with it carries
// the name, where one could be read, and nothing to be run.
func Parse(label string, data []byte) (Chain, error) { return read(label, data, nil) }

// Check reads a file as Parse does and asks for its specialists as Validate does,
// so that a user sees the problems of both kinds at once.
func Check(label string, data []byte, lookup Lookup) (Chain, error) {
	return read(label, data, lookup)
}

func read(label string, data []byte, lookup Lookup) (Chain, error) {
	if err := definition.CheckText(label, data); err != nil {
		return Chain{}, err
	}
	r := &reader{out: Chain{Source: label}}
	node, err := definition.ParseYAML(data, 1)
	var syntax *definition.SyntaxError
	switch {
	case errors.As(err, &syntax):
		r.report.AddCause(syntax.Pos, "this is not valid YAML: "+syntax.Message, "correct the line", err)
	case node.Kind != definition.Map:
		r.report.Add(node.Pos, "a chain file begins with its keys", "write name:, description: and tasks:")
	default:
		r.chain(node)
		addSpecialists(&r.report, r.out.Tasks, lookup)
	}
	if err := r.report.Err(label); err != nil {
		return Chain{Name: r.out.Name}, err
	}
	return r.out, nil
}

// reader builds one chain and collects what is wrong with it. places holds, for
// each task, where its parts stand.
type reader struct {
	report definition.Report
	out    Chain
	places []places
}

// places says where the parts of one task stand in the file.
type places struct {
	task  definition.Pos
	id    definition.Pos
	needs []definition.Pos
}

func (r *reader) chain(node definition.Node) {
	seen := map[string]bool{}
	for _, f := range r.report.Duplicates(node.Fields) {
		seen[f.Key] = true
		switch f.Key {
		case "name":
			r.name(f)
		case "description":
			r.out.Description = r.prose(f)
		case "tasks":
			r.tasks(f)
		default:
			r.report.UnknownKey(f, []string{"name", "description", "tasks"})
		}
	}
	if !seen["name"] {
		r.report.Add(node.Pos, "name is missing", "add a line like name: feature")
	}
	if !seen["tasks"] {
		r.report.Add(node.Pos, "tasks is missing", "add a list of tasks, each with a specialist")
	}
}

func (r *reader) name(f definition.Field) {
	name := r.report.Text(f)
	if name != "" && !namePattern.MatchString(name) {
		r.report.Add(f.Value.Pos, "name "+definition.Quote(name)+" cannot be used",
			"use up to 64 lower-case letters, digits and dashes, like bug-fix")
		return
	}
	r.out.Name = name
}

func (r *reader) prose(f definition.Field) string {
	text := strings.TrimSpace(r.report.Text(f))
	if n := utf8.RuneCountInString(text); n > maxProse {
		r.report.Add(f.Value.Pos, fmt.Sprintf("%s has %d characters", f.Key, n), fmt.Sprintf("use at most %d", maxProse))
	}
	return text
}

func (r *reader) tasks(f definition.Field) {
	switch {
	case f.Value.Kind == definition.Null || f.Value.Kind == definition.List && len(f.Value.Items) == 0:
		r.report.Add(f.Pos, "the chain has no tasks", "add at least one, like - specialist: engineer")
		return
	case f.Value.Kind != definition.List:
		r.report.Add(f.Value.Pos, "tasks must be a list", "begin each task with a dash, like - specialist: engineer")
		return
	case len(f.Value.Items) > MaxTasks:
		r.report.Add(f.Value.Items[MaxTasks].Pos, fmt.Sprintf("the chain has %d tasks", len(f.Value.Items)),
			fmt.Sprintf("use at most %d; split the chain in two", MaxTasks))
		return
	}
	for _, item := range f.Value.Items {
		r.task(item)
	}
	nameTasks(r.out.Tasks)
	r.check()
}
