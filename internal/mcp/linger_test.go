package mcp

import (
	"context"
	"errors"
	"io"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/runs"
)

func TestTheEndOfTheStreamWaitsForTheAnswer(t *testing.T) {
	t.Parallel()
	in, out := io.Pipe()
	conn, err := lingering{&sdk.IOTransport{Reader: in, Writer: unclosed{io.Discard}}}.Connect(t.Context())
	require.NoError(t, err)
	go func() {
		_, _ = io.WriteString(out, `{"jsonrpc":"2.0","id":7,"method":"ping"}`+"\n")
		_ = out.Close()
	}()
	message, err := conn.Read(t.Context())
	require.NoError(t, err)
	request, ok := message.(*jsonrpc.Request)
	require.True(t, ok)
	ended := make(chan error, 1)
	go func() {
		_, err := conn.Read(t.Context())
		ended <- err
	}()
	require.Never(t, func() bool { return len(ended) > 0 }, 50*time.Millisecond, 10*time.Millisecond, "the call has no answer yet")
	require.NoError(t, conn.Write(t.Context(), &jsonrpc.Response{ID: request.ID, Result: []byte("{}")}))
	require.ErrorIs(t, <-ended, io.EOF)
}

func TestCallsThatWaitedShareTheFailureToConnect(t *testing.T) {
	t.Parallel()
	g := newGate()
	refused := errors.New("refused")
	entered, release := make(chan struct{}), make(chan struct{})
	answers := make(chan error, 2)
	go func() {
		_, err := g.pass(t.Context(), func() (*runs.Client, error) {
			close(entered)
			<-release
			return nil, refused
		})
		answers <- err
	}()
	<-entered
	go func() {
		_, err := g.pass(t.Context(), func() (*runs.Client, error) { return nil, errors.New("tried again") })
		answers <- err
	}()
	gone, leave := context.WithCancel(t.Context())
	leave()
	_, err := g.pass(gone, nil)
	require.ErrorIs(t, err, runs.ErrUnreachable, "who has left waits for nobody")
	close(release)
	first, second := <-answers, <-answers
	require.True(t, errors.Is(first, refused) || errors.Is(second, refused))
	_, err = g.pass(t.Context(), func() (*runs.Client, error) { return &runs.Client{}, nil })
	require.NoError(t, err, "a later call tries again")
}
