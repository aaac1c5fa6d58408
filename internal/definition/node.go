package definition

import (
	"errors"
	"fmt"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// Kind is the shape of a Node.
type Kind int

// The shapes of YAML that definitions use.
const (
	Null   Kind = iota // nothing was written
	Text               // a string in any of YAML's notations
	Number             // an integer or a float, kept as it is written
	Bool               // true or false, kept as it is written
	List               // a sequence
	Map                // a mapping with scalar keys
	Other              // an anchor, an alias, a tag: tolerated where nothing reads it
)

// Node is one value of a YAML document with its place in the file.
type Node struct {
	Pos
	Kind   Kind
	Text   string  // of Text, Number and Bool
	Items  []Node  // of List
	Fields []Field // of Map, in the order of the file
}

// Field is one entry of a mapping. Its own Pos is that of the key.
type Field struct {
	Pos
	Key   string
	Value Node
}

// SyntaxError says where a text stops being YAML that can be read.
type SyntaxError struct {
	Pos
	Message string
}

// Error returns the place and what was found there.
func (e *SyntaxError) Error() string {
	return fmt.Sprintf("%d:%d: %s", e.Line, e.Col, e.Message)
}

// ParseYAML returns the one document of a YAML text. firstLine is the line of
// the file on which the text begins, so that positions are those of the file.
// An empty text is a Null node; the error is always a *SyntaxError.
func ParseYAML(src []byte, firstLine int) (node Node, err error) {
	// The parser is somebody else's and the file is anybody's: a panic in there
	// is a file that cannot be read, not the end of the process.
	defer func() {
		if p := recover(); p != nil {
			node, err = Node{}, &SyntaxError{Pos{firstLine, 1}, "this is not YAML that can be read"}
		}
	}()
	if refused := bounds(src, firstLine); refused != nil {
		return Node{}, refused
	}
	file, err := parser.ParseBytes(src, 0, parser.AllowDuplicateMapKey())
	if err != nil {
		return Node{}, syntaxError(err, firstLine)
	}
	t := tree{shift: firstLine - 1}
	var bodies []ast.Node
	for _, doc := range file.Docs {
		if doc.Body != nil {
			bodies = append(bodies, doc.Body)
		}
	}
	if len(bodies) == 0 {
		return Node{Pos: Pos{firstLine, 1}}, nil
	}
	if len(bodies) > 1 {
		return Node{}, &SyntaxError{t.pos(bodies[1]), "a second document begins here; a file holds one"}
	}
	return t.node(bodies[0], 0)
}

func syntaxError(err error, firstLine int) *SyntaxError {
	out := &SyntaxError{Pos{firstLine, 1}, "this is not YAML that can be read"}
	var located yaml.Error
	if !errors.As(err, &located) {
		return out
	}
	out.Message = located.GetMessage()
	if tk := located.GetToken(); tk != nil && tk.Position != nil {
		out.Pos = tokenPos(tk, firstLine-1)
	}
	return out
}

func tokenPos(tk *token.Token, shift int) Pos {
	return Pos{Line: tk.Position.Line + shift, Col: tk.Position.Column}
}
