package provider

import (
	"net"
	"net/http"
	"time"
)

// TransportOptions size the connection pool.
type TransportOptions struct {
	// Concurrency is how many calls to one provider run side by side; as many idle
	// connections are kept for it. Zero means 64.
	Concurrency int
}

// NewTransport makes the transport that all providers of a worker share: HTTP/2
// where the server has it, proxies from the environment, and no limit on
// connections, because the caller limits concurrency. Idle connections are closed
// after 30 s, before the load balancers in front of the usual providers drop them
// (60 s and more), so that a request rarely meets a connection that is just
// being closed.
func NewTransport(opts TransportOptions) *http.Transport {
	concurrency := opts.Concurrency
	if concurrency <= 0 {
		concurrency = 64
	}
	dialer := &net.Dialer{Timeout: 10 * time.Second, KeepAlive: 15 * time.Second}
	return &http.Transport{
		Proxy:                  http.ProxyFromEnvironment,
		DialContext:            dialer.DialContext,
		ForceAttemptHTTP2:      true,
		MaxIdleConns:           4 * concurrency,
		MaxIdleConnsPerHost:    concurrency,
		IdleConnTimeout:        30 * time.Second,
		TLSHandshakeTimeout:    10 * time.Second,
		ExpectContinueTimeout:  time.Second,
		MaxResponseHeaderBytes: 1 << 20,
	}
}
