package doctor

import (
	_ "testing" // [want]

	_ "github.com/modelcontextprotocol/go-sdk/mcp" // [want]
	_ "github.com/pressly/goose/v3"                // [want]
	_ "github.com/sashabaranov/go-openai"          // [want]
	_ "github.com/spf13/cobra"                     // [want]
	_ "github.com/stretchr/testify/require"        // [want]
	_ "go.temporal.io/server/common"               // [want]
	_ "modernc.org/sqlite"                         // [want]
)
