package cli

import (
	"errors"

	"github.com/tutti-dev/tutti/internal/definition"
)

// refusedFile is a file of definitions that cannot be used, for programs.
type refusedFile struct {
	Name     string               `json:"name"`
	File     string               `json:"file"`
	Problems []definition.Problem `json:"problems"`
}

func encodedRefusals(refused []definition.Refused) []refusedFile {
	out := make([]refusedFile, 0, len(refused))
	for _, r := range refused {
		out = append(out, refusedFile{Name: r.Name, File: r.File, Problems: problemsOf(r.Err)})
	}
	return out
}

// problemsOf returns everything that is wrong with a definition.
func problemsOf(err error) []definition.Problem {
	var invalid *definition.InvalidError
	if errors.As(err, &invalid) {
		return invalid.Problems
	}
	return []definition.Problem{{Message: err.Error()}}
}

// problemLines are the same as lines with file, line and column.
func problemLines(err error) []string {
	var invalid *definition.InvalidError
	if errors.As(err, &invalid) {
		return invalid.Lines()
	}
	return []string{err.Error()}
}

// sayRefused tells of files that a list had to leave out.
func (c *command) sayRefused(refused []definition.Refused) {
	for _, r := range refused {
		for _, line := range problemLines(r.Err) {
			c.say("refused: %s", oneLine(line))
		}
	}
}

// badFiles is about a directory of definitions that cannot be read at all.
func badFiles(err error) error {
	return &failure{code: ExitConfiguration, message: err.Error(), err: err}
}
