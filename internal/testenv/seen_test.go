package testenv

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// noted is a test that notes its attributes.
type noted struct {
	testing.TB
	key, value string
}

func (n *noted) Attr(key, value string) { n.key, n.value = key, value }

func TestWhatWasSeenIsOneLine(t *testing.T) {
	t.Parallel()
	n := &noted{TB: t}
	Seen(n, "%d calls,\n\tand %s ", 2, "no more\r\n")
	require.Equal(t, SeenKey, n.key)
	require.Equal(t, "2 calls, and no more", n.value)
}
