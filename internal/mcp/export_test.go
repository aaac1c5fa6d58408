package mcp

import (
	"context"
	"encoding/json"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// Answer answers one tool call under a context of the test's own, as it stands
// when a host has left.
func (s *Server) Answer(ctx context.Context, name string, arguments any) (*sdk.CallToolResult, error) {
	raw, err := json.Marshal(arguments)
	if err != nil {
		return nil, err
	}
	for _, t := range tools() {
		if t.name == name {
			return s.handler(t)(ctx, &sdk.CallToolRequest{Params: &sdk.CallToolParamsRaw{Name: name, Arguments: raw}})
		}
	}
	panic("there is no tool " + name)
}
