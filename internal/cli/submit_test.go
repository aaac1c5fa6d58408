package cli

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/content"
	"github.com/tutti-dev/tutti/internal/history"
	"github.com/tutti-dev/tutti/internal/run"
)

// started is what a run would be started with.
func started(s *stage, args ...string) history.RunInput {
	s.t.Helper()
	return decoded[history.RunInput](s, append([]string{"submit", "please", "--chain", "reviewer", "--print-input"}, args...)...)
}

func TestCapsComeFromFlagsThenFromTheConfiguration(t *testing.T) {
	t.Parallel()
	s := alone(t)
	require.Equal(t, run.Budget{}, started(s).Plan.Budget)
	given := started(s, "--max-cost", "0.010000001", "--max-tokens", "5000").Plan.Budget
	require.Equal(t, "0.010000001", *given.MaxCostUSD, "exactly as it was written")
	require.EqualValues(t, 5000, *given.MaxTokens)

	s.write("tutti.yaml", "budget: {maxCostUsd: 1.00}\n")
	require.Equal(t, "1.00", *started(s).Plan.Budget.MaxCostUSD)
	require.Equal(t, "0", *started(s, "--max-cost", "0").Plan.Budget.MaxCostUSD)

	for flag, bad := range map[string]string{"--max-cost": "-1", "--max-tokens": "1.5"} {
		require.Contains(t, s.refused(ExitUsage, "submit", "please", flag+"="+bad), "tutti: "+flag+" is")
		require.Contains(t, s.refused(ExitUsage, "submit", "please", flag+"="), "tutti: "+flag+" is")
	}
}

func TestACostCapOnWhatHasNoPriceIsRefusedBeforeTheStart(t *testing.T) {
	t.Parallel()
	s := alone(t)
	asked := []string{"submit", "please", "--chain", "reviewer", "--backend", "provider", "--model", "ollama/llama"}
	require.Contains(t, s.refused(ExitUsage, append(asked, "--max-cost", "1")...),
		"model ollama/llama has no price, so the cost cap of $1 cannot be kept; set its price in prices.yaml, or use --max-tokens")
	require.NotNil(t, started(s, "--backend", "provider", "--model", "ollama/llama", "--max-tokens", "9").Plan)

	s.write(".tutti/prices.yaml", "prices:\n  - {provider: ollama, model: llama, input: \"0.1\", output: \"0.2\"}\n")
	choice := started(s, "--backend", "provider", "--model", "ollama/llama", "--max-cost", "1").Plan.Tasks[0]
	require.Equal(t, "0.2", choice.Price.Output)

	s.write(".tutti/prices.yaml", "prices: many\n")
	require.Contains(t, s.refused(ExitConfiguration, asked...), ".tutti/prices.yaml:1:9")
}

func TestWhatTheConfigurationSaysOfAProviderIsPinned(t *testing.T) {
	t.Parallel()
	s := alone(t)
	s.write("tutti.yaml", `limits: {park: 24h}
providers:
  local: {dialect: openai, baseURL: "http://h/v1", callsPerSecond: 2, maxTokens: 300, timeout: 5s}
`)
	s.write(".tutti/specialists/a.md", "---\nname: a\ndescription: d\nfallbackModels: [demo/echo]\n---\nbody\n")
	task := started(s, "--chain", "a", "--backend", "provider", "--model", "local/m").Plan.Tasks[0]
	require.Equal(t, "tutti-provider-local", task.Queue)
	require.Equal(t, 300, task.Ceiling)
	require.EqualValues(t, 24*3600*1000, task.Limits.ParkMS)
	require.EqualValues(t, 5000, task.Limits.TimeoutMS)
	require.Len(t, task.Fallbacks, 1)
	require.Equal(t, "demo/echo", task.Fallbacks[0].Name())
	require.Empty(t, task.Fallbacks[0].Queue)
	require.Equal(t, "0", task.Fallbacks[0].Price.Output, "the demo costs nothing, which is a price")
}

func TestTheShellCompletesSubmit(t *testing.T) {
	t.Parallel()
	s := alone(t)
	require.Contains(t, s.ok("__complete", "submit", "--chain", ""), "review")
	require.Contains(t, s.ok("__complete", "submit", "--backend", ""), "provider")
	require.Contains(t, s.ok("__complete", "submit", "--provider", ""), "openrouter")
	checked := s.ok("__complete", "provider", "check", "demo", "")
	require.Contains(t, checked, "openrouter")
	require.NotContains(t, checked, "demo")
}

func TestSubmitPrintsTheRecordAlsoWithATextMissing(t *testing.T) {
	t.Parallel()
	c := reader(t)
	answer := content.Of("the answer").Ref()
	record := run.Record{
		RunID: "run-1", TenantID: "default", Status: run.Completed, Request: run.Request{Text: "please"},
		Tasks: []run.Task{{ID: "one", Status: run.TaskDone, OutputSHA256: answer.SHA256, OutputSize: answer.Size}},
	}
	s := &submission{command: c, json: true}
	require.NoError(t, s.result(t.Context(), record))
	require.Contains(t, printed(c), `"runId": "run-1"`)
	require.Contains(t, printed(c), answer.SHA256)
	require.Contains(t, complaints(c), "warning: the output of one (")
	require.Contains(t, complaints(c), "run run-1: completed")

	plain := &submission{command: reader(t)}
	require.ErrorContains(t, plain.result(t.Context(), record), "is not in this content store")
	require.Empty(t, printed(plain.command))
}
