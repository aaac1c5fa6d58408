package chain

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/tutti-dev/tutti/internal/definition"
)

// arrow divides the specialists of a list, as it is written regularly.
const arrow = "->"

// arrows matches what divides a list; the typographic arrow is read as well.
var arrows = regexp.MustCompile(`->|→`)

// IsList says whether a text is a list of specialists rather than a name.
func IsList(text string) bool {
	return arrows.MatchString(text)
}

// ParseList reads a chain from a list "a -> b -> c": each task needs all earlier
// ones, and the chain's name is the list, written regularly. One name alone is a
// list of one. The error is an *InvalidError.
func ParseList(text string) (Chain, error) {
	label := "chain list " + definition.Quote(text)
	if err := definition.CheckText(label, []byte(text)); err != nil {
		return Chain{}, err
	}
	r := &reader{out: Chain{Source: label}}
	names := arrows.Split(text, MaxNeeds+2)
	if len(names) > MaxNeeds+1 {
		r.report.Add(definition.Pos{}, fmt.Sprintf("the list has more than %d specialists", MaxNeeds+1),
			fmt.Sprintf("the last one may need at most %d tasks; shorten it, or write a chain file", MaxNeeds))
		return Chain{}, r.report.Err(label)
	}
	r.list(text, names)
	if r.report.OK() {
		nameTasks(r.out.Tasks)
		r.ids()
	}
	if err := r.report.Err(label); err != nil {
		return Chain{}, err
	}
	for i := range r.out.Tasks {
		for _, earlier := range r.out.Tasks[:i] {
			r.out.Tasks[i].Needs = append(r.out.Tasks[i].Needs, earlier.ID)
		}
	}
	r.out.Name = strings.Join(names, " "+arrow+" ")
	return r.out, nil
}

// list adds the task of every name in a list and leaves the names trimmed.
func (r *reader) list(text string, names []string) {
	from := 0
	for i, name := range names {
		names[i] = strings.TrimSpace(name)
		start := from + strings.Index(name, names[i])
		r.listed(names[i], definition.Pos{Line: 1, Col: 1 + utf8.RuneCountInString(text[:start])})
		from += len(name)
		from += len(arrows.FindString(text[from:]))
	}
}

// listed adds the task of one name in a list.
func (r *reader) listed(name string, at definition.Pos) {
	switch {
	case name == "":
		r.report.Add(at, "a specialist is missing here", "write a list like architect -> engineer -> reviewer")
	case !wordPattern.MatchString(name):
		r.report.Add(at, "specialist "+definition.Quote(name)+" cannot be used",
			"write the name of a specialist, as tutti specialist list shows it")
	}
	r.out.Tasks = append(r.out.Tasks, Task{
		Seq: len(r.out.Tasks) + 1, Specialist: name, OnUpstreamFailure: OnFailureSkip, at: at,
	})
	r.places = append(r.places, places{task: at, id: at})
}
