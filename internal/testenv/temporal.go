package testenv

import (
	"os"
	"sync"
	"syscall"
	"testing"

	enumspb "go.temporal.io/api/enums/v1"
	historypb "go.temporal.io/api/history/v1"
	"go.temporal.io/sdk/client"
)

// temporalAddress names the variable that, when set, points to a server of the developer's own.
// Without it a development server is started.
const temporalAddress = "TUTTI_TEST_TEMPORAL_ADDRESS"

// sharedTemporal is the server of this test process, started by the first that asks. The
// variable keeps the server's guards from being collected as garbage, which would close their pipes.
var sharedTemporal = sync.OnceValues(func() (*devServer, error) {
	return newDevServer("")
})

// Temporal returns the shared server's host and port. A test takes a [Namespace] there, and so sees
// no other test's runs.
func Temporal(t testing.TB) string {
	t.Helper()
	if address := os.Getenv(temporalAddress); address != "" {
		return address
	}
	server, err := sharedTemporal()
	if err != nil {
		t.Fatal(err)
	}
	return server.address()
}

// Namespace makes a fresh namespace on the shared server, with tutti's search attributes, and waits
// until it can be used. It goes with the server.
func Namespace(t testing.TB) string {
	t.Helper()
	return newNamespace(t, Temporal(t))
}

// Dial returns a silent client that is closed when the test ends. The namespace need not exist yet.
func Dial(t testing.TB, hostPort, namespace string) client.Client {
	t.Helper()
	c, err := client.DialContext(t.Context(), client.Options{
		HostPort: hostPort, Namespace: namespace, Logger: quiet{},
	})
	if err != nil {
		t.Fatalf("dialling Temporal at %s: %v", hostPort, err)
	}
	t.Cleanup(c.Close)
	return c
}

// History returns a workflow's whole history.
func History(t testing.TB, c client.Client, workflowID string) []*historypb.HistoryEvent {
	t.Helper()
	var events []*historypb.HistoryEvent
	it := c.GetWorkflowHistory(t.Context(), workflowID, "", false, enumspb.HISTORY_EVENT_FILTER_TYPE_ALL_EVENT)
	for it.HasNext() {
		e, err := it.Next()
		if err != nil {
			t.Fatalf("reading the history of %s: %v", workflowID, err)
		}
		events = append(events, e)
	}
	return events
}

// TemporalServer is a private server that a test may stop, kill and start again.
type TemporalServer struct {
	t      testing.TB
	server *devServer
}

// StartTemporal starts a private server. With a database file it keeps its state over a restart;
// with an empty name it forgets everything.
func StartTemporal(t testing.TB, dbFile string) *TemporalServer {
	t.Helper()
	s, err := newDevServer(dbFile)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.remove(); err != nil {
			t.Error(err)
		}
	})
	return &TemporalServer{t: t, server: s}
}

// HostPort returns the server's address, which stays the same over a stop and a start.
func (s *TemporalServer) HostPort() string { return s.server.address() }

// PID is the server's process, for tests that look at what it uses.
func (s *TemporalServer) PID() int { return s.server.server.cmd.Process.Pid }

// Namespace makes a fresh namespace on this server.
func (s *TemporalServer) Namespace() string {
	s.t.Helper()
	return newNamespace(s.t, s.HostPort())
}

// Stop ends the server in order.
func (s *TemporalServer) Stop() {
	s.t.Helper()
	if err := s.server.stop(syscall.SIGTERM); err != nil {
		s.t.Fatal(err)
	}
}

// Kill9 ends the server as a crash does.
func (s *TemporalServer) Kill9() {
	s.t.Helper()
	if err := s.server.stop(syscall.SIGKILL); err != nil {
		s.t.Fatal(err)
	}
}

// Start starts the server again and waits until it answers.
func (s *TemporalServer) Start() {
	s.t.Helper()
	if err := s.server.start(); err != nil {
		s.t.Fatal(err)
	}
}

// quiet is a logger for clients that fail on purpose, while they wait for a server.
type quiet struct{}

// Debug says nothing.
func (quiet) Debug(string, ...any) {}

// Info says nothing.
func (quiet) Info(string, ...any) {}

// Warn says nothing.
func (quiet) Warn(string, ...any) {}

// Error says nothing.
func (quiet) Error(string, ...any) {}

// TemporalCLI returns the path of the official CLI, for tests that use it as an operator does.
func TemporalCLI(t testing.TB) string {
	t.Helper()
	path, err := temporalCLI()
	if err != nil {
		t.Fatal(err)
	}
	return path
}
