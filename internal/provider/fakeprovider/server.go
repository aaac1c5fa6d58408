package fakeprovider

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"time"
)

// Server is a fake provider that listens.
type Server struct {
	options Options
	cases   map[string]Case
	counter *counter
	gate    *gate
	http    *http.Server
	address string
	port    string
	done    chan struct{}
}

// Listen starts a server. Close stops it.
func Listen(opts Options) (*Server, error) {
	cases, err := LoadCorpus(opts.Corpus)
	if err != nil {
		return nil, err
	}
	host, _, err := net.SplitHostPort(opts.addr())
	if err != nil {
		return nil, fmt.Errorf("address %q: %w", opts.addr(), err)
	}
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return nil, fmt.Errorf("address %q is not a loopback address", opts.addr())
	}
	listener, err := net.Listen("tcp", opts.addr())
	if err != nil {
		return nil, fmt.Errorf("listen: %w", err)
	}
	s := &Server{
		options: opts, cases: cases, counter: newCounter(), gate: newGate(),
		address: listener.Addr().String(), done: make(chan struct{}),
	}
	_, s.port, _ = net.SplitHostPort(s.address)
	s.http = &http.Server{Handler: s, ReadHeaderTimeout: 10 * time.Second, ErrorLog: log.New(io.Discard, "", 0)}
	go func() {
		defer close(s.done)
		_ = s.http.Serve(listener)
	}()
	return s, nil
}

// URL is where the server listens, without a path.
func (s *Server) URL() string { return "http://" + s.address }

// Client speaks to the server.
func (s *Server) Client() *Client { return Connect(s.URL()) }

// Close stops the server and breaks what hangs.
func (s *Server) Close() error {
	err := s.http.Close()
	<-s.done
	if err != nil && !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("close: %w", err)
	}
	return nil
}

func writeJSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v)
}

func writeError(w http.ResponseWriter, status int, message string) {
	writeJSON(w, status, map[string]any{"error": map[string]any{
		"message": message, "type": "fakeprovider_error", "param": nil, "code": "fakeprovider",
	}})
}

// sleep returns false when the client went away first.
func sleep(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
