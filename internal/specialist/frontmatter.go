package specialist

import (
	"bytes"
	"regexp"
	"strings"

	"github.com/tutti-dev/tutti/internal/definition"
)

// frontMatter is the YAML between the two --- lines. It begins on line 2 of the
// file; end is the line of its terminator.
type frontMatter struct {
	text []byte
	end  int
}

// frontStart is the line of the file on which front matter begins.
const frontStart = 2

// split separates front matter and body. The body is everything after the line
// break of the terminator, to the byte: a blank line that follows is part of it.
func split(data []byte) (front frontMatter, body []byte, found bool) {
	data = bytes.TrimPrefix(data, []byte("\uFEFF"))
	offset, line, start := 0, 0, 0
	for text := range bytes.Lines(data) {
		line++
		offset += len(text)
		marker := string(bytes.TrimRight(text, " \t\r\n")) == "---"
		switch {
		case line == 1 && !marker:
			return frontMatter{}, nil, false
		case line == 1:
			start = offset
		case marker:
			return frontMatter{text: data[start : offset-len(text)], end: line}, data[offset:], true
		}
	}
	return frontMatter{}, nil, false
}

// fields reads the front matter. Where it is no YAML as a whole, it is read key
// by key: subagent files in the wild hold unquoted descriptions with colons and
// dialogues in them, and Claude Code runs them all the same.
func (r *reader) fields(front frontMatter) []definition.Field {
	node, err := definition.ParseYAML(front.text, frontStart)
	if err != nil {
		return r.loose(front)
	}
	switch node.Kind {
	case definition.Map:
		return node.Fields
	case definition.Null:
		return nil
	default:
		r.report.Add(node.Pos, "the front matter is not a list of keys", "write lines like name: reviewer")
		return nil
	}
}

// keyLine matches a line that may begin a key at the left margin.
var keyLine = regexp.MustCompile(`^([A-Za-z][A-Za-z0-9_-]*):(?:\s|$)`)

// chunk is one key of front matter with the lines that belong to it.
type chunk struct {
	key   string
	line  int
	lines []string
}

// loose reads front matter key by key. Only a line that begins with a key known
// to tutti or Claude Code begins a new one: in a description that is no YAML,
// "user: hello" is text.
func (r *reader) loose(front frontMatter) []definition.Field {
	var fields []definition.Field
	for _, c := range r.chunks(front) {
		node, err := definition.ParseYAML([]byte(strings.Join(c.lines, "")), c.line)
		switch {
		case err == nil && node.Kind == definition.Map && len(node.Fields) == 1:
			fields = append(fields, node.Fields[0])
		case c.key == "description" || c.key == "tools" || foreign(c.key):
			if !foreign(c.key) {
				r.warn(c.line, "%s is not valid YAML and was read as plain text; put it in quotes", c.key)
			}
			fields = append(fields, c.literal())
		case err != nil:
			r.syntax(err)
		default:
			r.report.Add(definition.Pos{Line: c.line, Col: 1}, c.key+" cannot be read", "put its value in quotes")
		}
	}
	return fields
}

func (r *reader) chunks(front frontMatter) []chunk {
	var chunks []chunk
	line := frontStart - 1
	for text := range strings.Lines(string(front.text)) {
		line++
		match := keyLine.FindStringSubmatch(text)
		_, own := keys()[first(match)]
		switch {
		case own || foreign(first(match)):
			chunks = append(chunks, chunk{key: match[1], line: line, lines: []string{text}})
		case len(chunks) > 0:
			last := &chunks[len(chunks)-1]
			last.lines = append(last.lines, text)
		case strings.TrimSpace(text) != "" && !strings.HasPrefix(text, "#"):
			r.report.Add(definition.Pos{Line: line, Col: 1}, "this line belongs to no key",
				"begin the front matter with name: and put values that hold a colon in quotes")
		}
	}
	return chunks
}

func first(match []string) string {
	if match == nil {
		return ""
	}
	return match[1]
}

// literal reads the chunk's value as text, as it stands.
func (c chunk) literal() definition.Field {
	text := strings.TrimPrefix(strings.Join(c.lines, ""), c.key+":")
	at := definition.Pos{Line: c.line, Col: 1}
	return definition.Field{Pos: at, Key: c.key, Value: definition.Node{
		Pos:  definition.Pos{Line: c.line, Col: len(c.key) + 2},
		Kind: definition.Text,
		Text: strings.TrimSpace(text),
	}}
}
