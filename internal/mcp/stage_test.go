package mcp_test

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/client"

	"github.com/tutti-dev/tutti/internal/app"
	"github.com/tutti-dev/tutti/internal/config"
	"github.com/tutti-dev/tutti/internal/history"
	"github.com/tutti-dev/tutti/internal/mcp"
	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/runs"
	"github.com/tutti-dev/tutti/internal/testenv"
	"github.com/tutti-dev/tutti/workflows"
)

const patience = 60 * time.Second

// stage is a namespace of the real server and a user with a data directory there.
type stage struct {
	t        *testing.T
	env      map[string]string
	home     string
	temporal client.Client
	runs     *runs.Client
}

func newStage(t *testing.T) *stage {
	t.Helper()
	address, namespace := testenv.Temporal(t), testenv.Namespace(t)
	home := t.TempDir()
	c := testenv.Dial(t, address, namespace)
	return &stage{
		t: t, home: home, temporal: c, runs: runs.New(c, runs.Options{Namespace: namespace}),
		env: map[string]string{
			"TEMPORAL_ADDRESS": address, "TEMPORAL_NAMESPACE": namespace,
			"TEMPORAL_CONFIG_FILE": os.DevNull, "TUTTI_DATA_DIR": filepath.Join(home, "data"),
		},
	}
}

// with is the same stage with another variable.
func (s *stage) with(name, value string) *stage {
	other := *s
	other.env = maps.Clone(s.env)
	other.env[name] = value
	return &other
}

func (s *stage) lookup(name string) (string, bool) {
	value, ok := s.env[name]
	return value, ok
}

// app is one process of the user's.
func (s *stage) app() *app.App {
	s.t.Helper()
	env := app.Env{Env: config.Env{Lookup: s.lookup, HomeDir: s.home, WorkDir: s.home, User: "alice"}}
	for name, value := range s.env {
		env.Environ = append(env.Environ, name+"="+value)
	}
	c, err := config.Load(env.Env, config.Flags{})
	require.NoError(s.t, err)
	a := app.New(env, c)
	s.t.Cleanup(a.Close)
	return a
}

// work starts the product's own worker; the returned function stops it.
func (s *stage) work() (stop func()) {
	s.t.Helper()
	ctx, cancel := context.WithCancel(context.Background()) // It is stopped in order when the test has ended.
	ready, ended := make(chan struct{}), make(chan error, 1)
	go func() {
		ended <- s.app().Worker(ctx, app.WorkerOptions{Timing: workflows.DevTiming(), Ready: func(app.Polling) { close(ready) }})
	}()
	select {
	case <-ready:
	case err := <-ended:
		s.t.Fatalf("the worker did not start: %v", err)
	}
	// The tools do not wait for a worker that Temporal does not list yet.
	testenv.Eventually(s.t, patience, "the worker's first poll", func() error {
		polled, err := s.runs.HasPollers(s.t.Context())
		if err == nil && !polled {
			err = errors.New("nobody polls")
		}
		return err
	})
	stopped := false
	stop = func() {
		if !stopped {
			stopped = true
			cancel()
			<-ended
		}
	}
	s.t.Cleanup(stop)
	return stop
}

// who is a host as it introduces itself.
type who struct {
	name, version, protocol string
	meta                    map[string]any
}

// claude is the host of most tests.
var claude = who{name: "Claude Code", version: "2.1"}

// host is an agent's session with a server process of its own.
type host struct {
	*stage
	session *sdk.ClientSession
	who     who
}

// host starts a server and connects to it.
func (s *stage) host(w who) *host {
	s.t.Helper()
	server := mcp.New(mcp.Options{App: s.app(), Lookup: s.lookup, Version: "test"})
	ours, theirs := sdk.NewInMemoryTransports()
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(context.WithoutCancel(s.t.Context()), ours) }()
	client := sdk.NewClient(&sdk.Implementation{Name: w.name, Version: w.version}, nil)
	session, err := client.Connect(s.t.Context(), theirs, &sdk.ClientSessionOptions{ProtocolVersion: w.protocol})
	require.NoError(s.t, err)
	s.t.Cleanup(func() {
		_ = session.Close()
		require.NoError(s.t, <-ended)
	})
	return &host{stage: s, session: session, who: w}
}

// answer is what a tool answered, decoded.
type answer struct {
	RunID            string           `json:"run_id"`
	Status           run.Status       `json:"status"`
	RunStatus        run.Status       `json:"run_status"`
	Backend          string           `json:"backend"`
	Message          string           `json:"message"`
	Semantics        string           `json:"semantics"`
	Deduplicated     bool             `json:"deduplicated"`
	HostInstructions string           `json:"host_instructions"`
	Accepted         *bool            `json:"accepted"`
	Pending          bool             `json:"pending"`
	Duplicate        bool             `json:"duplicate"`
	Cancelled        bool             `json:"cancelled"`
	PreviousStatus   run.Status       `json:"previous_status"`
	NextTask         *task            `json:"next_task"`
	Part             *part            `json:"part"`
	Parts            int              `json:"parts"`
	RetryAfterMS     int64            `json:"retry_after_ms"`
	Tasks            []map[string]any `json:"tasks"`
	TasksOmitted     int              `json:"tasks_omitted"`
	Outputs          []struct {
		TaskID string `json:"task_id"`
		Text   string `json:"text"`
	} `json:"outputs"`
	Runs       []map[string]any `json:"runs"`
	NextCursor string           `json:"next_cursor"`
	Notices    []string         `json:"notices"`

	Code        run.Code `json:"code"`
	Error       any      `json:"error"`
	Remediation string   `json:"remediation"`

	raw map[string]any
}

type task struct {
	TaskID       string     `json:"task_id"`
	Role         string     `json:"role"`
	System       *string    `json:"system"`
	User         *string    `json:"user"`
	PromptSHA256 string     `json:"prompt_sha256"`
	ClaimToken   int64      `json:"claim_token"`
	ClaimExpires *time.Time `json:"claim_expires_at"`
	ClaimedBy    string     `json:"claimed_by"`
	Parts        int        `json:"parts"`
	Part         *part      `json:"part"`
}

type part struct {
	N      int    `json:"n"`
	Text   string `json:"text"`
	SHA256 string `json:"sha256"`
}

type args map[string]any

// call calls a tool. Whatever it answers, the answer is small, and the same
// structured and as text.
func (h *host) call(name string, arguments args) (answer, bool) {
	h.t.Helper()
	ctx, cancel := context.WithTimeout(h.t.Context(), patience)
	defer cancel()
	began := time.Now()
	result, err := h.session.CallTool(ctx, &sdk.CallToolParams{Name: name, Arguments: arguments, Meta: h.who.meta})
	require.NoError(h.t, err)
	require.Less(h.t, time.Since(began), 25*time.Second, "every call answers in time")
	whole, err := json.Marshal(result)
	require.NoError(h.t, err)
	require.Less(h.t, len(whole), 8000, "hosts cut longer results")
	structured, err := json.Marshal(result.StructuredContent)
	require.NoError(h.t, err)
	require.Len(h.t, result.Content, 1)
	text, ok := result.Content[0].(*sdk.TextContent)
	require.True(h.t, ok)
	require.JSONEq(h.t, string(structured), text.Text)
	var a answer
	require.NoError(h.t, json.Unmarshal(structured, &a))
	require.NoError(h.t, json.Unmarshal(structured, &a.raw))
	return a, result.IsError
}

// ok calls a tool that has to succeed.
func (h *host) ok(name string, arguments args) answer {
	h.t.Helper()
	a, isError := h.call(name, arguments)
	require.False(h.t, isError, "%s: %v", name, a.raw)
	return a
}

// refused calls a tool that has to refuse with this code and a next step.
func (h *host) refused(code run.Code, name string, arguments args) answer {
	h.t.Helper()
	a, isError := h.call(name, arguments)
	require.True(h.t, isError, "%s: %v", name, a.raw)
	require.Equal(h.t, code, a.Code, "%v", a.raw)
	require.NotEmpty(h.t, a.Error)
	require.NotEmpty(h.t, a.Remediation)
	require.Len(h.t, a.raw, 3, "code, error and remediation are all")
	return a
}

// submit hands in an output for the task that was offered.
func (h *host) submit(runID string, t *task, output string) answer {
	h.t.Helper()
	require.NotNil(h.t, t)
	return h.ok("orchestration_task_result", args{
		"run_id": runID, "task_id": t.TaskID, "output": output, "claim_token": t.ClaimToken, "prompt_sha256": t.PromptSHA256,
	})
}

func (s *stage) record(runID string) run.Record {
	s.t.Helper()
	folded, err := s.runs.Get(s.t.Context(), "default", runID)
	require.NoError(s.t, err)
	return folded.Record
}

// until waits for a state of a run.
func (s *stage) until(runID, what string, ok func(*run.Record) bool) {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), patience)
	defer cancel()
	reached := false
	err := s.runs.Follow(ctx, "default", runID, func(f history.Folded) (bool, error) {
		reached = ok(&f.Record)
		return !reached, nil
	})
	require.NoError(s.t, err, "waiting until %s", what)
	require.True(s.t, reached, "the run ended without: %s", what)
}

// write puts a file into the working directory of the user's processes.
func (s *stage) write(name, text string) {
	s.t.Helper()
	path := filepath.Join(s.home, name)
	require.NoError(s.t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(s.t, os.WriteFile(path, []byte(text), 0o644))
}
