package config

import (
	"fmt"

	"github.com/tutti-dev/tutti/internal/definition"
)

// Origin is the place where a value was written: a place in the file, a
// variable, or a flag. The zero Origin is the built-in default.
type Origin struct {
	File      string
	Line, Col int
	Variable  string
	Flag      string
}

// IsDefault says that nobody wrote the value.
func (o Origin) IsDefault() bool { return o == Origin{} }

// String returns the place as a reader would look it up: tutti.yaml:3:1,
// TUTTI_STORE, --tenant or default.
func (o Origin) String() string {
	switch {
	case o.Flag != "":
		return o.Flag
	case o.Variable != "":
		return o.Variable
	case o.File == "":
		return "default"
	case o.Line == 0:
		return o.File
	default:
		return fmt.Sprintf("%s:%d:%d", o.File, o.Line, o.Col)
	}
}

func (o Origin) at(p definition.Pos) Origin {
	o.Line, o.Col = p.Line, p.Col
	return o
}
