package doctor

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/tutti-dev/tutti/internal/definition"
)

// Library is the specialists or the chains that a user can name.
type Library interface {
	// Load reads them. The error is a directory that cannot be listed.
	Load() (Definitions, error)
}

// Definitions are what a library holds.
type Definitions struct {
	// Usable are those that can be named, BuiltIn how many of them came with
	// the binary.
	Usable, BuiltIn int
	// Refused are those that cannot be used, each with file and line.
	Refused []error
	// Remarks are what a file says and tutti does not use.
	Remarks []string
}

func (e examination) definitions(context.Context) []Finding {
	return append(library("specialist", e.subject.Specialists), library("chain", e.subject.Chains)...)
}

// library tells what can be used first and then each file that was refused. A
// refused file keeps only its own name from being used.
func library(noun string, l Library) []Finding {
	check := noun + "s"
	found, err := l.Load()
	if err != nil {
		return []Finding{trouble(check, &RefusedError{Err: err}, "see that the directory can be read")}
	}
	f := fine(check, "%s, %d of them built in", count(found.Usable, noun), found.BuiltIn)
	if len(found.Remarks) > 0 {
		f.Message += fmt.Sprintf("; %s about what their files say and tutti does not use", count(len(found.Remarks), "remark"))
		f.Details = found.Remarks
	}
	findings := []Finding{f}
	for _, err := range found.Refused {
		findings = append(findings, refusedFile(check, err)...)
	}
	return findings
}

func refusedFile(check string, err error) []Finding {
	var invalid *definition.InvalidError
	if !errors.As(err, &invalid) {
		return []Finding{{Check: check, Level: Warning, Message: line(err), NextStep: "correct the file"}}
	}
	findings := make([]Finding, 0, len(invalid.Problems))
	for _, p := range invalid.Problems {
		next := cmp.Or(p.NextStep, "correct the file")
		p.NextStep = "" // It has a place of its own in a finding.
		alone := definition.InvalidError{File: invalid.File, Problems: []definition.Problem{p}}
		findings = append(findings, Finding{Check: check, Level: Warning, Message: line(&alone), NextStep: next})
	}
	return findings
}
