package anthropic_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/provider"
	"github.com/tutti-dev/tutti/internal/provider/anthropic"
	"github.com/tutti-dev/tutti/internal/provider/providertest"
	"github.com/tutti-dev/tutti/internal/testenv"
)

func newClient(t *testing.T) *anthropic.Client {
	t.Helper()
	transport := provider.NewTransport(provider.TransportOptions{})
	t.Cleanup(transport.CloseIdleConnections)
	return anthropic.New(provider.NewDoer(transport))
}

// T2: the cases of the shared corpus.
func TestCorpus(t *testing.T) {
	t.Parallel()
	n := providertest.Run(t, newClient(t), provider.DialectAnthropic, "../testdata/corpus.json")
	require.Equal(t, 17, n, "cases of the shared corpus in this dialect; those of the other make it 111")
	testenv.Seen(t, "%d cases of the shared corpus in the dialect anthropic", n)
}

// T2: the cases that we added.
func TestOwnCorpus(t *testing.T) {
	t.Parallel()
	n := providertest.Run(t, newClient(t), provider.DialectAnthropic, "../testdata/corpus-own.json")
	require.NotZero(t, n)
	testenv.Seen(t, "%d cases of our own in the dialect anthropic", n)
}
