package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/tutti-dev/tutti/internal/definition"
)

// candidate is a place where the file may be.
type candidate struct {
	path  string // absolute
	label string // what messages call it
	asked Origin // who named it; the zero Origin means that it may be absent
}

// candidates lists the places in order; the first file that exists is the one.
func candidates(env Env, flags Flags) ([]candidate, error) {
	named, asked := "", Origin{}
	if value, ok := env.get("TUTTI_CONFIG"); ok {
		named, asked = value, Origin{Variable: "TUTTI_CONFIG"}
	}
	if flags.Config != nil {
		named, asked = *flags.Config, Origin{Flag: "--config"}
	}
	if !asked.IsDefault() {
		path, err := namedPath(env, named)
		if err != nil {
			return nil, refusedAt(asked, "the path", err)
		}
		return []candidate{{path: path, label: named, asked: asked}}, nil
	}
	all := []candidate{{path: filepath.Join(env.WorkDir, FileName), label: FileName}}
	if dir := UserDir(env); dir != "" {
		path := filepath.Join(dir, FileName)
		all = append(all, candidate{path: path, label: fromHome(path, env.HomeDir)})
	}
	return all, nil
}

func namedPath(env Env, named string) (string, error) {
	if err := checkPath(named); err != nil {
		return "", err
	}
	return env.absolute(env.WorkDir, named)
}

// fromHome writes a path below the home directory as ~/….
func fromHome(path, home string) string {
	if rest, ok := strings.CutPrefix(path, home+string(filepath.Separator)); ok && home != "" {
		return "~/" + filepath.ToSlash(rest)
	}
	return path
}

// read returns the text of the file, and false where it may be and is absent.
func (c candidate) read() ([]byte, bool, error) {
	data, err := readBounded(c.path)
	switch {
	case err == nil:
		data = bytes.TrimPrefix(data, []byte("\uFEFF"))
		return data, true, c.refused(definition.CheckText(c.label, data))
	case !errors.Is(err, fs.ErrNotExist):
		return nil, false, &Error{
			Origin:   Origin{File: c.label},
			Message:  "the file cannot be read",
			NextStep: "check that it is a file and that you may read it",
			Err:      err,
		}
	case c.asked.IsDefault():
		return nil, false, nil
	}
	return nil, false, &Error{
		Origin:   c.asked,
		Message:  "there is no file " + definition.Quote(c.label),
		NextStep: "correct the path or leave it out",
		Err:      err,
	}
}

func readBounded(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("open configuration: %w", err)
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, definition.MaxFileBytes+1))
	if err != nil {
		return nil, fmt.Errorf("read configuration: %w", err)
	}
	return data, nil
}

// refused turns what internal/definition says about the text into an *Error.
func (c candidate) refused(err error) error {
	if err == nil {
		return nil
	}
	at := Origin{File: c.label}
	var invalid *definition.InvalidError
	if errors.As(err, &invalid) && len(invalid.Problems) > 0 {
		first := invalid.Problems[0]
		return &Error{
			Origin:  at.at(definition.Pos{Line: first.Line, Col: max(first.Col, 1)}),
			Message: first.Message, NextStep: first.NextStep, Err: err,
		}
	}
	var syntax *definition.SyntaxError
	if errors.As(err, &syntax) {
		return &Error{Origin: at.at(syntax.Pos), Message: strings.Join(strings.Fields(syntax.Message), " "), NextStep: "correct the YAML", Err: err}
	}
	return &Error{Origin: at, Message: "the file is refused", NextStep: "check its contents", Err: err}
}
