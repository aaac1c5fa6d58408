package provider_test

import (
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/provider"
)

func TestDoerSpeaksHTTP2(t *testing.T) {
	t.Parallel()
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, r.Proto)
	}))
	server.EnableHTTP2 = true
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	t.Cleanup(server.Close)
	transport := provider.NewTransport(provider.TransportOptions{})
	t.Cleanup(transport.CloseIdleConnections)
	transport.TLSClientConfig = server.Client().Transport.(*http.Transport).TLSClientConfig.Clone()
	x, err := provider.NewDoer(transport).Send(post(t, t.Context(), server.URL, "x"), time.Minute)
	require.NoError(t, err)
	require.NoError(t, x.Failure)
	require.Equal(t, "HTTP/2.0", string(x.Body))

	x, err = newDoer(t).Send(post(t, t.Context(), server.URL, "x"), time.Minute)
	require.NoError(t, err)
	out := provider.Judge(x, provider.Endpoint{}, provider.Request{}, nil)
	require.Equal(t, provider.BadRequest, out.Class, "an untrusted certificate is not tried again")
	require.Equal(t, "tls_certificate", out.ErrCode)
}

func TestTransportIsSizedAndUsesProxies(t *testing.T) {
	t.Parallel()
	transport := provider.NewTransport(provider.TransportOptions{Concurrency: 200})
	require.NotNil(t, transport.Proxy)
	require.True(t, transport.ForceAttemptHTTP2)
	require.Equal(t, 200, transport.MaxIdleConnsPerHost)
	require.Zero(t, transport.MaxConnsPerHost)
}

func TestUnreachable(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	url := "http://" + listener.Addr().String()
	require.NoError(t, listener.Close())
	x, err := newDoer(t).Send(post(t, t.Context(), url, "x"), time.Minute)
	require.NoError(t, err)
	out := provider.Judge(x, provider.Endpoint{}, provider.Request{}, nil)
	require.Equal(t, provider.ConnectionReset, out.Class)
	require.Equal(t, "connection_refused", out.ErrCode)
	require.True(t, out.Retryable())
	require.NotContains(t, out.Message("acme"), url)
	require.NotErrorIs(t, err, provider.ErrTransactionOpen)
}
