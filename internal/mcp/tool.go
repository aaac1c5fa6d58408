package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/tutti-dev/tutti/internal/run"
)

// tool is one tool as it is declared and answered.
type tool struct {
	name, title, description string
	arguments                []argument
	hints                    hints
	answer                   answerer
}

// hints are the tool's annotations.
type hints struct{ readOnly, destructive, idempotent, openWorld bool }

// answerer answers a call whose arguments are still JSON.
type answerer func(ctx context.Context, c *call, arguments json.RawMessage) (any, error)

// call is one tools/call.
type call struct {
	*Server
	caller caller
	began  time.Time
}

// until is when the call stops waiting, if it wants to wait so long.
func (c *call) until(wait time.Duration) time.Time {
	return c.began.Add(max(0, min(wait, waitLimit)))
}

// tools lists every tool, each from its own file.
func tools() []tool {
	return []tool{runTool(), nextTool(), promptTool(), resultTool(), statusTool(), listTool(), cancelTool()}
}

func (t tool) declaration() *sdk.Tool {
	destructive, openWorld := t.hints.destructive, t.hints.openWorld
	return &sdk.Tool{
		Name: t.name, Title: t.title, Description: t.description, InputSchema: schema(t.arguments),
		Annotations: &sdk.ToolAnnotations{
			Title: t.title, ReadOnlyHint: t.hints.readOnly, IdempotentHint: t.hints.idempotent,
			DestructiveHint: &destructive, OpenWorldHint: &openWorld,
		},
	}
}

func (s *Server) handler(t tool) sdk.ToolHandler {
	return func(ctx context.Context, request *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		s.calls.Add(1)
		defer s.calls.Done()
		c := &call{Server: s, caller: s.callerOf(request), began: time.Now()}
		ctx, cancel := context.WithDeadline(ctx, c.began.Add(callLimit))
		defer cancel()
		answer, err := t.answer(ctx, c, request.Params.Arguments)
		if err != nil {
			s.log.Debug("a tool call was refused", "tool", t.name, "error", err)
			return pack(explain(err), true)
		}
		return pack(answer, false)
	}
}

// answering decodes a call's arguments. A misspelt one is refused: passed over in
// silence it would start something else than was meant.
func answering[A any](answer func(context.Context, *call, A) (any, error)) answerer {
	return func(ctx context.Context, c *call, raw json.RawMessage) (any, error) {
		var arguments A
		if len(bytes.TrimSpace(raw)) > 0 {
			decoder := json.NewDecoder(bytes.NewReader(raw))
			decoder.DisallowUnknownFields()
			if err := decoder.Decode(&arguments); err != nil && !errors.Is(err, io.EOF) {
				return nil, &failure{
					Code: run.CodeRunInputInvalid, Message: "the arguments cannot be read: " + run.Clip(err.Error(), 200),
					Remediation: "use the names and types of the tool's schema",
				}
			}
		}
		return answer(ctx, c, arguments)
	}
}

// missing says that a required argument was not given.
func missing(code run.Code, name string) error {
	return &failure{Code: code, Message: "the argument " + name + " is missing", Remediation: "call the tool again with " + name}
}
