package mcp

import (
	"context"
	"fmt"

	"github.com/tutti-dev/tutti/internal/run"
)

type promptArguments struct {
	RunID  string `json:"run_id"`
	TaskID string `json:"task_id"`
	Part   int    `json:"part"`
}

func promptTool() tool {
	return tool{
		name: "orchestration_prompt", title: "Read a part of a prompt",
		description: "Read one part of a prompt that is too long for one answer. The parts joined are the system prompt, one NUL character, the user prompt.",
		arguments: []argument{
			required(text("run_id", "The run.")),
			required(text("task_id", "The task.")),
			number("part", "Which part, from 1 to parts. Default 1."),
		},
		hints:  hints{readOnly: true, idempotent: true},
		answer: answering(promptPart),
	}
}

type promptAnswer struct {
	RunID        string `json:"run_id"`
	TaskID       string `json:"task_id"`
	PromptSHA256 string `json:"prompt_sha256"`
	Parts        int    `json:"parts"`
	Part         *part  `json:"part"`
}

func promptPart(ctx context.Context, c *call, a promptArguments) (any, error) {
	r, t, err := c.task(ctx, a.RunID, a.TaskID)
	if err != nil {
		return nil, err
	}
	p, err := c.prompt(ctx, r, t)
	if err != nil {
		return nil, err
	}
	pieces := promptPieces(p)
	n := max(a.Part, 1)
	if n > len(pieces) {
		return nil, &failure{
			Code: run.CodeRunInputInvalid, Message: fmt.Sprintf("the prompt of %s has %d part(s)", t.ID, len(pieces)),
			Remediation: fmt.Sprintf("ask for a part from 1 to %d", len(pieces)),
		}
	}
	return &promptAnswer{RunID: r.RunID, TaskID: t.ID, PromptSHA256: t.PromptSHA256, Parts: len(pieces), Part: partOf(pieces, n)}, nil
}

// record folds a run of the tenant.
func (s *Server) record(ctx context.Context, runID string) (*run.Record, error) {
	if runID == "" {
		return nil, missing(run.CodeRunInputInvalid, "run_id")
	}
	client, err := s.runs(ctx)
	if err != nil {
		return nil, err
	}
	folded, err := client.Get(ctx, s.app.Config.Tenant, runID)
	return &folded.Record, err
}

// task folds a run and finds its task.
func (s *Server) task(ctx context.Context, runID, taskID string) (*run.Record, *run.Task, error) {
	r, err := s.record(ctx, runID)
	if err != nil {
		return nil, nil, err
	}
	t := r.TaskByID(taskID)
	if t == nil {
		return nil, nil, &failure{
			Code: run.CodeTaskNotFound, Message: fmt.Sprintf("run %s has no task %q", runID, run.Clip(taskID, 80)),
			Remediation: "use a task_id that orchestration_status shows",
		}
	}
	return r, t, nil
}
