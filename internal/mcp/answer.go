package mcp

import (
	"bytes"
	"encoding/json"
	"fmt"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// resultLimit bounds a whole result as it is serialised. Hosts cut longer ones, the
// strictest near 10 kB; what the protocol adds around it has room up to 8,000.
const resultLimit = 7600

// shrinker is an answer that can leave out what its reader can ask for. shrink is
// false when there is nothing more to leave out.
type shrinker interface{ shrink() bool }

// pack makes a result of an answer: structured, and the same JSON as text, because
// some hosts show their model the one and some the other.
func pack(answer any, isError bool) (*sdk.CallToolResult, error) {
	for {
		result, size, err := packed(answer, isError)
		if err != nil || size <= resultLimit {
			return result, err
		}
		if s, ok := answer.(shrinker); !ok || !s.shrink() {
			return nil, fmt.Errorf("a result of %d bytes is larger than hosts take", size)
		}
	}
}

func packed(answer any, isError bool) (result *sdk.CallToolResult, size int, err error) {
	raw, err := compact(answer)
	if err != nil {
		return nil, 0, fmt.Errorf("write an answer: %w", err)
	}
	result = &sdk.CallToolResult{
		StructuredContent: json.RawMessage(raw), IsError: isError,
		Content: []sdk.Content{&sdk.TextContent{Text: string(raw)}},
	}
	whole, err := json.Marshal(result)
	if err != nil {
		return nil, 0, fmt.Errorf("write a result: %w", err)
	}
	return result, len(whole), nil
}

// fits says that an answer needs no shrinking.
func fits(answer any) bool {
	_, size, err := packed(answer, false)
	return err == nil && size <= resultLimit
}

// compact is JSON in which < and > stand as themselves, as a model reads best.
func compact(value any) ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}
