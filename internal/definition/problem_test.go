package definition_test

import (
	"encoding/json"
	"errors"
	"io/fs"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/definition"
)

func TestInvalidErrorNamesTheFirstAndCountsTheRest(t *testing.T) {
	t.Parallel()
	var report definition.Report
	require.NoError(t, report.Err("x.yaml"))
	report.Add(definition.Pos{Line: 9, Col: 2}, "second", "do b")
	report.AddCause(definition.Pos{Line: 3}, "first", "do a", fs.ErrPermission)
	err := report.Err("x.yaml")
	require.EqualError(t, err, "x.yaml:3: first; do a (and 1 more problem)")
	require.ErrorIs(t, err, fs.ErrPermission)

	report.Add(definition.Pos{}, "whole file", "")
	err = report.Err("x.yaml")
	require.EqualError(t, err, "x.yaml: whole file (and 2 more problems)")
	var invalid *definition.InvalidError
	require.ErrorAs(t, err, &invalid)
	require.Equal(t, []string{"x.yaml: whole file", "x.yaml:3: first; do a", "x.yaml:9:2: second; do b"}, invalid.Lines())

	encoded, jsonErr := json.Marshal(invalid.Problems[2])
	require.NoError(t, jsonErr)
	require.JSONEq(t, `{"line":9,"col":2,"message":"second","nextStep":"do b"}`, string(encoded))
	require.EqualError(t, &definition.InvalidError{File: "y"}, "y: refused")
}

func TestQuoteIsOneBoundedLine(t *testing.T) {
	t.Parallel()
	require.Equal(t, `"a\nb"`, definition.Quote("a\nb"))
	require.Equal(t, "\"\ufffd\"", definition.Quote("\xff"))
	long := definition.Quote(strings.Repeat("é", 500))
	require.Equal(t, `"`+strings.Repeat("é", 80)+`…"`, long)
	exact := strings.Repeat("x", 80)
	require.Equal(t, `"`+exact+`"`, definition.Quote(exact))
}

func TestNotFoundHelpsAlong(t *testing.T) {
	t.Parallel()
	missing := errors.New("specialist not found")
	known := []string{"writer", "reviewer", "architect", "qa"}
	cases := map[string]struct {
		name string
		want string
	}{
		"a typo":       {"reviwer", `unknown specialist "reviwer"; did you mean reviewer? known: architect, qa, reviewer, writer`},
		"a beginning":  {"arch", `unknown specialist "arch"; did you mean architect? known: architect, qa, reviewer, writer`},
		"another case": {"QA", `unknown specialist "QA"; did you mean qa? known: architect, qa, reviewer, writer`},
		"nothing near": {"plumbing", `unknown specialist "plumbing"; known: architect, qa, reviewer, writer`},
		"no name":      {"", `unknown specialist ""; known: architect, qa, reviewer, writer`},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := definition.NotFound(missing, "specialist", c.name, known)
			require.EqualError(t, err, c.want)
			require.ErrorIs(t, err, missing)
			require.NotErrorIs(t, err, fs.ErrNotExist)
		})
	}
	require.EqualError(t, definition.NotFound(missing, "chain", "x", nil), `unknown chain "x"; none is defined`)
	require.Nil(t, definition.Near(strings.Repeat("x", 1000), known))
}
