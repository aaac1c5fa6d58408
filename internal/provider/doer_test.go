package provider_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/provider"
	"github.com/tutti-dev/tutti/internal/txscope"
)

func newDoer(t *testing.T) *provider.Doer {
	t.Helper()
	transport := provider.NewTransport(provider.TransportOptions{})
	t.Cleanup(transport.CloseIdleConnections)
	return provider.NewDoer(transport)
}

func post(t *testing.T, ctx context.Context, url, body string) *http.Request {
	t.Helper()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader(body))
	require.NoError(t, err)
	return req
}

func serve(t *testing.T, handler http.HandlerFunc) string {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return server.URL
}

func TestDoerKeepsStatusHeadersAndBytes(t *testing.T) {
	t.Parallel()
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		sent, _ := io.ReadAll(r.Body)
		w.Header().Set("X-Seen", string(sent))
		w.WriteHeader(http.StatusTeapot)
		_, _ = io.WriteString(w, "short and stout")
	})
	x, err := newDoer(t).Send(post(t, t.Context(), url, "hello"), time.Minute)
	require.NoError(t, err)
	require.NoError(t, x.Failure)
	require.Equal(t, http.StatusTeapot, x.Status)
	require.Equal(t, "hello", x.Header.Get("X-Seen"))
	require.Equal(t, "short and stout", string(x.Body))
	require.False(t, x.Oversize)
	require.Positive(t, x.Elapsed)
}

func TestDoerRefusesInATransaction(t *testing.T) {
	t.Parallel()
	var hits atomic.Int32
	url := serve(t, func(http.ResponseWriter, *http.Request) { hits.Add(1) })
	outer := txscope.New(t.Context())
	inner, cancel := context.WithCancel(outer)
	defer cancel()
	doer := newDoer(t)

	leave := txscope.Enter(inner)
	for name, ctx := range map[string]context.Context{"inner": inner, "outer": outer} {
		_, err := doer.Send(post(t, ctx, url, "x"), time.Minute)
		require.ErrorIs(t, err, provider.ErrTransactionOpen, name)
	}
	require.Zero(t, hits.Load(), "nothing may be sent")

	leave()
	_, err := doer.Send(post(t, outer, url, "x"), time.Minute)
	require.NoError(t, err)
	require.EqualValues(t, 1, hits.Load())
}

func TestDoerFollowsNoRedirect(t *testing.T) {
	t.Parallel()
	for _, status := range []int{301, 302, 303, 307, 308} {
		var hits atomic.Int32
		url := serve(t, func(w http.ResponseWriter, r *http.Request) {
			hits.Add(1)
			http.Redirect(w, r, "/elsewhere", status)
		})
		x, err := newDoer(t).Send(post(t, t.Context(), url, "x"), time.Minute)
		require.NoError(t, err)
		require.Equal(t, status, x.Status)
		require.EqualValues(t, 1, hits.Load())
	}
}

func TestDoerReadCaps(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name            string
		status, send    int
		read            int
		oversize, zipit bool
	}{
		{"answer at the cap", 200, provider.MaxAnswerBytes, provider.MaxAnswerBytes, false, false},
		{"answer over the cap", 200, provider.MaxAnswerBytes + 1, provider.MaxAnswerBytes, true, false},
		{"error at the cap", 500, provider.MaxErrorBytes, provider.MaxErrorBytes, false, false},
		{"error over the cap", 500, provider.MaxErrorBytes + 1, provider.MaxErrorBytes, true, false},
		{"inflated over the cap", 200, provider.MaxAnswerBytes + 1, provider.MaxAnswerBytes, true, true},
		{"inflated under the cap", 200, 1000, 1000, false, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			url := serve(t, func(w http.ResponseWriter, _ *http.Request) {
				body := bytes.Repeat([]byte("x"), c.send)
				if c.zipit {
					body = zip(body)
				}
				w.WriteHeader(c.status)
				_, _ = w.Write(body)
			})
			x, err := newDoer(t).Send(post(t, t.Context(), url, "x"), time.Minute)
			require.NoError(t, err)
			require.Len(t, x.Body, c.read)
			require.Equal(t, c.oversize, x.Oversize)
		})
	}
}

func zip(plain []byte) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = w.Write(plain)
	_ = w.Close()
	return b.Bytes()
}

// TestDoerSendsOnce closes every connection after its first answer, without
// saying so. With an Idempotency-Key, or a body that can be replayed, net/http
// would repeat the second request by itself.
func TestDoerSendsOnce(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = listener.Close() })
	var received atomic.Int32
	go serveOnceThenDrop(listener, &received)

	doer := newDoer(t)
	for range 3 {
		req := post(t, t.Context(), "http://"+listener.Addr().String(), "paid")
		req.Header.Set("Idempotency-Key", "k")
		req.Header.Set("X-Idempotency-Key", "k")
		_, err := doer.Send(req, 5*time.Second)
		require.NoError(t, err)
	}
	require.LessOrEqual(t, received.Load(), int32(3), "three calls are at most three requests")
}

// serveOnceThenDrop answers the first request of a connection and drops the
// connection when a second one has arrived.
func serveOnceThenDrop(listener net.Listener, received *atomic.Int32) {
	for {
		conn, err := listener.Accept()
		if err != nil {
			return
		}
		go func() {
			defer func() { _ = conn.Close() }()
			buffer := make([]byte, 4096)
			for i := range 2 {
				if n, err := conn.Read(buffer); err != nil || n == 0 {
					return
				}
				received.Add(1)
				if i == 0 {
					_, _ = io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")
				}
			}
		}()
	}
}

func TestDoerTellsCancellationFromDeadline(t *testing.T) {
	t.Parallel()
	arrived := make(chan struct{}, 4)
	url := serve(t, func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		arrived <- struct{}{}
		<-r.Context().Done()
	})
	doer := newDoer(t)

	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-arrived; cancel() }()
	_, err := doer.Send(post(t, ctx, url, "x"), time.Minute)
	require.ErrorIs(t, err, context.Canceled)

	x, err := doer.Send(post(t, t.Context(), url, "x"), 30*time.Millisecond)
	require.NoError(t, err, "our own deadline is an outcome")
	require.ErrorIs(t, x.Failure, context.DeadlineExceeded)

	ctx, cancel = context.WithTimeout(t.Context(), 30*time.Millisecond)
	defer cancel()
	x, err = doer.Send(post(t, ctx, url, "x"), time.Minute)
	require.NoError(t, err, "so is a deadline that the caller set")
	require.ErrorIs(t, x.Failure, context.DeadlineExceeded)
}

func TestDoerRefusesHeadersThatCannotBeSent(t *testing.T) {
	t.Parallel()
	req := post(t, t.Context(), "http://127.0.0.1:1", "x")
	req.Header.Set("Authorization", "Bearer a\nb")
	x, err := newDoer(t).Send(req, time.Minute)
	require.NoError(t, err)
	out := provider.Judge(x, provider.Endpoint{}, provider.Request{}, nil)
	require.Equal(t, provider.BadRequest, out.Class)
	require.Equal(t, "unsendable_header", out.ErrCode)
}
