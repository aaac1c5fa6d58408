package mcp

import (
	"context"
	"errors"
	"fmt"
	"regexp"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/runs"
)

// The resources of a run. What they hold can be had by the tools too.
const (
	uriRun    = "tutti://runs/{run_id}"
	uriPrompt = "tutti://runs/{run_id}/tasks/{task_id}/prompt"
	uriOutput = "tutti://runs/{run_id}/tasks/{task_id}/output"
)

func (s *Server) addResources() {
	s.sdk.AddResourceTemplate(&sdk.ResourceTemplate{
		Name: "run", Title: "A run's record", URITemplate: uriRun, MIMEType: "application/json",
		Description: "The record of a run, long texts by digest",
	}, s.readRun)
	s.sdk.AddResourceTemplate(&sdk.ResourceTemplate{
		Name: "prompt", Title: "A task's prompt", URITemplate: uriPrompt, MIMEType: "text/plain",
		Description: "The prompt that a task was given: the system prompt, then the user prompt",
	}, s.readTask)
	s.sdk.AddResourceTemplate(&sdk.ResourceTemplate{
		Name: "output", Title: "A task's output", URITemplate: uriOutput, MIMEType: "text/plain",
		Description: "The output of a task that is done",
	}, s.readTask)
}

func (s *Server) readRun(ctx context.Context, request *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
	uri := request.Params.URI
	found := regexp.MustCompile(`^tutti://runs/([^/]+)$`).FindStringSubmatch(uri)
	if found == nil {
		return nil, sdk.ResourceNotFoundError(uri)
	}
	ctx, cancel := context.WithTimeout(ctx, callLimit)
	defer cancel()
	r, err := s.record(ctx, found[1])
	if err != nil {
		return nil, resourceError(uri, err)
	}
	raw, err := compact(r.Bounded())
	if err != nil {
		return nil, fmt.Errorf("write the record: %w", err)
	}
	return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{{URI: uri, MIMEType: "application/json", Text: string(raw)}}}, nil
}

func (s *Server) readTask(ctx context.Context, request *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
	uri := request.Params.URI
	found := regexp.MustCompile(`^tutti://runs/([^/]+)/tasks/([^/]+)/(prompt|output)$`).FindStringSubmatch(uri)
	if found == nil {
		return nil, sdk.ResourceNotFoundError(uri)
	}
	ctx, cancel := context.WithTimeout(ctx, callLimit)
	defer cancel()
	texts, err := s.taskTexts(ctx, found[1], found[2], found[3])
	if err != nil {
		return nil, resourceError(uri, err)
	}
	result := &sdk.ReadResourceResult{}
	for _, text := range texts {
		result.Contents = append(result.Contents, &sdk.ResourceContents{URI: uri, MIMEType: "text/plain", Text: text})
	}
	return result, nil
}

// taskTexts are system and user prompt, or the output.
func (s *Server) taskTexts(ctx context.Context, runID, taskID, what string) ([]string, error) {
	r, t, err := s.task(ctx, runID, taskID)
	if err != nil {
		return nil, err
	}
	if what == "prompt" {
		p, err := s.prompt(ctx, r, t)
		return []string{p.System, p.User}, err
	}
	if t.Status != run.TaskDone {
		return nil, &failure{Code: run.CodeTaskNotFound, Message: fmt.Sprintf("task %s is %s and has no output", t.ID, t.Status)}
	}
	text, err := s.fetch(ctx, r.TenantID, t.OutputText())
	return []string{text}, err
}

// resourceError says what is not there, and what cannot be read now.
func resourceError(uri string, err error) error {
	var known *failure
	if errors.Is(err, runs.ErrNotFound) || errors.As(err, &known) && known.Code == run.CodeTaskNotFound {
		return sdk.ResourceNotFoundError(uri)
	}
	f := explain(err)
	return fmt.Errorf("%s: %s; %s", f.Code, f.Message, f.Remediation)
}
