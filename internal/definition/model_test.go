package definition_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/definition"
)

func TestValidModel(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		"sonnet", "anthropic/claude-sonnet-4.5", "deepseek/deepseek-r1:free", "hf.co/a/B_c-GGUF:Q4_K_M",
		"arn:aws:bedrock:us-east-1:1:model/x", "@cf/meta/llama", "model@2024-01-01", "a[1m]", strings.Repeat("m", 200),
	} {
		require.True(t, definition.ValidModel(name), name)
	}
	for _, name := range []string{"", "gpt 5", "a\nb", `a"b`, "a'b", "a`b", `a\b`, "modèle", strings.Repeat("m", 201)} {
		require.False(t, definition.ValidModel(name), name)
	}
}
