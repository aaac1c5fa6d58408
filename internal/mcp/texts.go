package mcp

import (
	"context"
	"fmt"

	"github.com/tutti-dev/tutti/internal/content"
	"github.com/tutti-dev/tutti/internal/run"
)

// fetch returns a text of a run. Most stand in its history; only for the others is
// the store opened.
func (s *Server) fetch(ctx context.Context, tenant string, text content.Text) (string, error) {
	if !text.IsRef() {
		return text.Inline, nil
	}
	kept, _, err := s.app.Store(ctx)
	if err != nil {
		return "", err
	}
	fetched, err := content.Fetch(ctx, kept, tenant, text)
	if err != nil {
		return "", fmt.Errorf("read a text of the run: %w", err)
	}
	return fetched, nil
}

// keep puts a long result into the store, before anything refers to it.
func (s *Server) keep(ctx context.Context, text content.Text, whole string) error {
	kept, _, err := s.app.Store(ctx)
	if err != nil {
		return err
	}
	if err := kept.PutContent(ctx, s.app.Config.Tenant, text.SHA256, []byte(whole)); err != nil {
		return fmt.Errorf("keep the result: %w: %w", content.ErrUnavailable, err)
	}
	return nil
}

// prompt is a task's prompt as it was materialised, the very bytes.
func (s *Server) prompt(ctx context.Context, r *run.Record, t *run.Task) (run.HostPrompt, error) {
	var p run.HostPrompt
	if t.Prompt == nil {
		return p, &failure{
			Code: run.CodeTaskNotAwaiting, Message: fmt.Sprintf("task %s is %s and has no prompt", t.ID, t.Status),
			Remediation: "look at the run with orchestration_status",
		}
	}
	var err error
	if p.System, err = s.fetch(ctx, r.TenantID, t.Prompt.System); err != nil {
		return p, err
	}
	if p.User, err = s.fetch(ctx, r.TenantID, t.Prompt.User); err != nil {
		return p, err
	}
	if content.Digest(wholePrompt(p)) != t.PromptSHA256 {
		return p, &failure{
			Code: run.CodePromptMismatch, Message: "the kept prompt of task " + t.ID + " is not the one that the run recorded",
			Remediation: "see `tutti doctor`",
		}
	}
	return p, nil
}

// wholePrompt is what a prompt's digest is taken over, and what its parts are cut from.
func wholePrompt(p run.HostPrompt) string { return p.System + "\x00" + p.User }
