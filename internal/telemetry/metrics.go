// Package telemetry is what a process tells a monitoring system about itself:
// numbers on an HTTP endpoint, in Prometheus's text format. It knows no run and no
// tenant: what stands there is safe to show.
package telemetry

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// Gauge is a number that is read when somebody asks.
type Gauge struct {
	Name, Help string
	Read       func() float64
}

// Server serves gauges.
type Server struct {
	listener net.Listener
	server   *http.Server
}

// readTimeout bounds how long a client may take to ask.
const readTimeout = 5 * time.Second

// Serve listens on an address and answers GET /metrics until Close. An address
// without a host is loopback: the numbers are for whoever has this machine.
func Serve(ctx context.Context, address string, gauges ...Gauge) (*Server, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, fmt.Errorf("metrics address %q: write it like 127.0.0.1:9464: %w", address, err)
	}
	if host == "" {
		host = "127.0.0.1"
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", net.JoinHostPort(host, port))
	if err != nil {
		return nil, fmt.Errorf("metrics address %q cannot be listened on: %w", address, err)
	}
	registry := prometheus.NewRegistry()
	for _, g := range gauges {
		registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: g.Name, Help: g.Help}, g.Read))
	}
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(registry, promhttp.HandlerOpts{}))
	s := &Server{listener: listener, server: &http.Server{Handler: mux, ReadHeaderTimeout: readTimeout}}
	go func() { _ = s.server.Serve(listener) }() // It ends with Close.
	return s, nil
}

// Address is where the server listens.
func (s *Server) Address() string { return s.listener.Addr().String() }

// Close ends the server.
func (s *Server) Close() error {
	if err := s.server.Close(); err != nil && !errors.Is(err, context.Canceled) {
		return fmt.Errorf("close the metrics endpoint: %w", err)
	}
	return nil
}
