package specialist

import (
	"errors"
	"fmt"
	"strings"
	"unicode"

	"github.com/tutti-dev/tutti/internal/definition"
)

// InvalidError is a file that was refused, with every problem in it.
type InvalidError = definition.InvalidError

// Parse reads one specialist from the text of a file. label is what messages
// call the file. The error is an *InvalidError; the Specialist that comes with it
// carries the name, where one could be read, and nothing to be run.
func Parse(label string, data []byte) (Specialist, error) {
	if err := definition.CheckText(label, data); err != nil {
		return Specialist{}, err
	}
	r := &reader{file: label, out: Specialist{Source: label}}
	front, body, found := split(data)
	if !found {
		r.report.Add(definition.Pos{Line: 1}, "the file has no front matter",
			"begin it with a line ---, then name: and description:, then a line --- and the prompt")
		return Specialist{}, r.report.Err(label)
	}
	r.read(front)
	r.out.Prompt = string(body)
	if blank(r.out.Prompt) {
		r.report.Add(definition.Pos{Line: front.end}, "the body is empty", "write the system prompt below the front matter")
	}
	if err := r.report.Err(label); err != nil {
		return Specialist{Name: r.out.Name}, err
	}
	return r.finish()
}

// reader builds one specialist and collects what is wrong and what is unused.
type reader struct {
	file   string
	report definition.Report
	out    Specialist
}

func (r *reader) warn(line int, format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	r.out.Warnings = append(r.out.Warnings, fmt.Sprintf("%s:%d: %s", r.file, line, text))
}

func (r *reader) read(front frontMatter) {
	fields := r.fields(front)
	// Where a line could not be read, the name may have been on it.
	seenName := !r.report.OK()
	for _, field := range r.report.Duplicates(fields) {
		seenName = seenName || field.Key == "name"
		set, known := keys()[field.Key]
		switch {
		case !known:
			r.unused(field)
		case field.Value.Kind == definition.Null && field.Key != "name":
			r.warn(field.Line, "%s is empty and has no effect", field.Key)
		default:
			set(r, field)
		}
	}
	if !seenName {
		r.report.Add(definition.Pos{Line: 1}, "name is missing", "add a line like name: reviewer to the front matter")
	}
	if r.out.Description == "" {
		r.warn(1, "description is missing; add one line that says when to choose this specialist")
	}
}

func (r *reader) unused(field definition.Field) {
	hint := ""
	if near := definition.Near(field.Key, ownKeys()); len(near) > 0 && !foreign(field.Key) {
		hint = "; did you mean " + near[0] + "?"
	}
	r.warn(field.Line, "key %s is not read by tutti and has no effect%s", definition.Quote(field.Key), hint)
}

func (r *reader) finish() (Specialist, error) {
	r.out.ID = ID(r.out.Name)
	v, err := version(r.out)
	if err != nil {
		r.report.AddCause(definition.Pos{}, "the specialist has no version", "save the file as plain UTF-8 text", err)
		return Specialist{Name: r.out.Name}, r.report.Err(r.file)
	}
	r.out.Version = v
	return r.out, nil
}

// syntax notes a piece of front matter that is no YAML.
func (r *reader) syntax(err error) {
	var located *definition.SyntaxError
	if errors.As(err, &located) {
		r.report.AddCause(located.Pos, "the front matter is not valid YAML: "+located.Message,
			"put the value in quotes", err)
	}
}

// blank says whether a text shows nothing: spaces and invisible characters only.
func blank(text string) bool {
	return strings.TrimFunc(text, func(c rune) bool {
		return unicode.IsSpace(c) || unicode.Is(unicode.Cf, c)
	}) == ""
}
