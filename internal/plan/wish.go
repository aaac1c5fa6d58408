package plan

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/tutti-dev/tutti/internal/canonical"
	"github.com/tutti-dev/tutti/internal/run"
)

// Wish is what a user asked for, unresolved.
type Wish struct {
	TenantID, PrincipalID string

	Request     string
	Attachments []Attachment

	Chain        string
	Backend      string
	TaskBackends map[string]string
	Model        string
	Provider     string
	Budget       run.Budget
}

// Attachment is a file that goes with the request.
type Attachment struct {
	Name string
	Text string
}

// Refusal says why a wish cannot be fulfilled, and what to do.
type Refusal struct {
	Code     run.Code
	Message  string
	NextStep string
	Err      error
}

// Error implements error.
func (r *Refusal) Error() string {
	if r.NextStep == "" {
		return r.Message
	}
	return r.Message + "; " + r.NextStep
}

// Unwrap returns the cause.
func (r *Refusal) Unwrap() error { return r.Err }

func refuse(code run.Code, next, format string, args ...any) error {
	return &Refusal{Code: code, Message: fmt.Sprintf(format, args...), NextStep: next}
}

// MaxText bounds one text: what a content store and a prompt can carry whole.
const MaxText = 4 << 20

// maxAttachments bounds the files of one request: each takes room in the input.
const maxAttachments = 100

func (w *Wish) check() error {
	if strings.TrimSpace(w.Request) == "" && len(w.Attachments) == 0 {
		return refuse(run.CodeRunInputInvalid, "say what you want: tutti submit \"…\", -f FILE, or - for standard input", "the request is empty")
	}
	if err := checkText("the request", w.Request); err != nil {
		return err
	}
	if len(w.Attachments) > maxAttachments {
		return refuse(run.CodeRunInputInvalid, "put several into one file", "%d files are attached and %d is the most", len(w.Attachments), maxAttachments)
	}
	for _, a := range w.Attachments {
		if err := checkText("attachment "+a.Name, a.Text); err != nil {
			return err
		}
		if err := checkText("the name of an attachment", a.Name); err != nil {
			return err
		}
	}
	return checkCaps(w.Budget)
}

func checkText(what, text string) error {
	switch {
	case len(text) > MaxText:
		return refuse(run.CodeRunInputInvalid, "shorten it", "%s has %d bytes and %d is the most", what, len(text), MaxText)
	case !utf8.ValidString(text):
		return refuse(run.CodeRunInputInvalid, "convert it, for example with iconv", "%s is not UTF-8 text", what)
	case strings.ContainsRune(text, 0):
		return refuse(run.CodeRunInputInvalid, "give a text file", "%s holds NUL bytes, so it is no text", what)
	}
	return nil
}

// Digest covers what the user gave, not what it resolved to: an idempotency key
// stands for it.
func (w *Wish) Digest() (string, error) {
	attachments := make([]any, 0, len(w.Attachments))
	for _, a := range w.Attachments {
		attachments = append(attachments, map[string]any{"name": a.Name, "sha256": canonical.SHA256([]byte(a.Text))})
	}
	backends := make(map[string]any, len(w.TaskBackends))
	for task, backend := range w.TaskBackends {
		backends[task] = backend
	}
	form := map[string]any{
		"request": canonical.SHA256([]byte(w.Request)), "attachments": attachments,
		"chain": w.Chain, "backend": w.Backend, "taskBackends": backends,
		"model": w.Model, "provider": w.Provider,
		"maxCostUsd": nil, "maxTokens": nil,
	}
	if w.Budget.MaxCostUSD != nil {
		form["maxCostUsd"] = plainAmount(*w.Budget.MaxCostUSD)
	}
	if w.Budget.MaxTokens != nil {
		form["maxTokens"] = int(*w.Budget.MaxTokens)
	}
	raw, err := canonical.JSON(form)
	if err != nil {
		return "", fmt.Errorf("digest of the request: %w", err)
	}
	return canonical.SHA256(raw), nil
}
