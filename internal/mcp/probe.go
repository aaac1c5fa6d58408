package mcp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/tutti-dev/tutti/internal/run"
)

// Probe starts a server as an agent's program does: a process of its own, the
// protocol on its standard input and output.
type Probe struct {
	Command []string
	Env     []string
	Dir     string
	Version string
}

// Offered is what a server answered to a probe.
type Offered struct {
	Protocol       string
	Tools, Prompts int
	Took           time.Duration
}

// probeLimit bounds a probe. A server starts in under a second.
const probeLimit = 5 * time.Second

// Run initialises a session, lists tools and prompts, and makes one call that names
// no run: it is refused by the tool itself, and touches neither Temporal nor a store.
// The error of a server that did not start holds the last line that it said.
func (p Probe) Run(ctx context.Context) (Offered, error) {
	ctx, cancel := context.WithTimeout(ctx, probeLimit)
	defer cancel()
	began := time.Now()
	process := exec.CommandContext(ctx, p.Command[0], p.Command[1:]...)
	said := &lastLine{}
	process.Env, process.Dir, process.Stderr = p.Env, p.Dir, said
	process.WaitDelay = time.Second // A child of its may hold its standard error open.
	client := sdk.NewClient(&sdk.Implementation{Name: "tutti-doctor", Version: p.Version}, nil)
	session, err := client.Connect(ctx, &sdk.CommandTransport{Command: process, TerminateDuration: time.Second}, nil)
	if err != nil {
		return Offered{}, said.instead(ctx, fmt.Errorf("begin a session: %w", err))
	}
	offered, err := ask(ctx, session)
	offered.Took = time.Since(began)
	if closed := session.Close(); err == nil && closed != nil {
		err = fmt.Errorf("it did not end with its standard input: %w", closed)
	}
	return offered, said.instead(ctx, err)
}

func ask(ctx context.Context, session *sdk.ClientSession) (Offered, error) {
	offered := Offered{Protocol: session.InitializeResult().ProtocolVersion}
	tools, err := session.ListTools(ctx, nil)
	if err != nil {
		return offered, fmt.Errorf("list the tools: %w", err)
	}
	prompts, err := session.ListPrompts(ctx, nil)
	if err != nil {
		return offered, fmt.Errorf("list the prompts: %w", err)
	}
	offered.Tools, offered.Prompts = len(tools.Tools), len(prompts.Prompts)
	status := statusTool().name
	result, err := session.CallTool(ctx, &sdk.CallToolParams{Name: status, Arguments: map[string]any{}})
	if err != nil {
		return offered, fmt.Errorf("call %s: %w", status, err)
	}
	if answer, ok := result.StructuredContent.(map[string]any); !ok || !result.IsError || answer["code"] == nil {
		return offered, fmt.Errorf("%s was called without a run and gave no code", status)
	}
	return offered, nil
}

// lastLine keeps the last line that is written to it.
type lastLine struct {
	mu   sync.Mutex
	line []byte
}

// Write implements io.Writer.
func (l *lastLine) Write(p []byte) (int, error) {
	const most = 1 << 10
	l.mu.Lock()
	defer l.mu.Unlock()
	for part := range bytes.Lines(p) {
		if bytes.HasSuffix(l.line, []byte("\n")) {
			l.line = nil
		}
		if len(l.line) < most {
			l.line = append(l.line, part...)
		}
	}
	return len(p), nil
}

// instead is what the process said, where that tells more than the protocol's error.
func (l *lastLine) instead(ctx context.Context, err error) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch said := strings.TrimSpace(string(l.line)); {
	case err == nil:
		return nil
	case said != "":
		return errors.New("it said: " + run.Clip(oneLine(said), 300))
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return errors.New("no answer came in time")
	}
	return err
}
