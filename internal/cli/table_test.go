package cli

import (
	"bytes"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestATableAlignsByCharactersAndKeepsCellsInTheirPlace(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	rows := newTable(&out, "NAME", "WHAT", "END")
	rows.row("größer", "two\nlines\tand a tab", "x")
	rows.row("b", "\x1b[31mred\x1b[0m", "")
	rows.row("c")
	require.NoError(t, rows.flush())
	require.Equal(t, ""+
		"NAME    WHAT                 END\n"+
		"größer  two lines and a tab  x\n"+
		"b       [31mred [0m\n"+
		"c\n", out.String())
}

func TestATableSaysWhenItCouldNotBePrinted(t *testing.T) {
	t.Parallel()
	rows := newTable(failingWriter{}, "NAME")
	require.ErrorIs(t, rows.flush(), errGone)
}

var errGone = errors.New("the reader has gone")

type failingWriter struct{}

func (failingWriter) Write([]byte) (int, error) { return 0, errGone }
