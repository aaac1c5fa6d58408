package mcp

import (
	"context"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// slash is a prompt that hosts show as a command. Its text reaches the model as the
// user's own words, which is the clean way to authorise the work.
type slash struct {
	name, title, description string
	argument, about          string
	say                      string // with {} where the argument goes
}

func slashes() []slash {
	return []slash{
		{
			"run_specialists", "Run specialists", "Run a request through a chain of specialists, in this session",
			"request", "What is to be done",
			"Run the following request through tutti's specialists: call orchestration_run with it as request, execute each next_task yourself in this session, " +
				"hand in each deliverable with orchestration_task_result, and go on until next_task is null. Then show me the outcome.\n\n{}",
		},
		{
			"resume_run", "Resume a run", "Go on with a run that waits for a host",
			"run_id", "The run",
			"Go on with tutti run {}: call orchestration_next with this run_id, and with takeover true if another session of mine still holds its task. Execute each next_task " +
				"yourself, hand in each deliverable with orchestration_task_result, and go on until next_task is null. Then show me the outcome.",
		},
		{
			"next_task", "Do the next task", "Execute one waiting task of a run, and no more",
			"run_id", "The run",
			"Execute one task of tutti run {}: call orchestration_next with this run_id, execute the prompt yourself, hand in the deliverable with " +
				"orchestration_task_result, and stop there.",
		},
	}
}

func (s *Server) addPrompts() {
	for _, p := range slashes() {
		s.sdk.AddPrompt(&sdk.Prompt{
			Name: p.name, Title: p.title, Description: p.description,
			Arguments: []*sdk.PromptArgument{{Name: p.argument, Description: p.about, Required: true}},
		}, p.get)
	}
}

func (p slash) get(_ context.Context, request *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
	words := strings.Replace(p.say, "{}", request.Params.Arguments[p.argument], 1)
	return &sdk.GetPromptResult{
		Description: p.description,
		Messages:    []*sdk.PromptMessage{{Role: "user", Content: &sdk.TextContent{Text: words}}},
	}, nil
}
