package specialist

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/tutti-dev/tutti/internal/canonical"
)

// PromptFormat is the format in which new runs have their prompts written. A run
// keeps the format that it was submitted with, so the renderers of older formats
// stay.
const PromptFormat = 1

// DefaultBudget is how many bytes of upstream text go into one prompt where the
// caller sets no other limit: about 100,000 tokens at four bytes each.
const DefaultBudget = 400_000

// versionDigits is how much of the system prompt's digest names it.
const versionDigits = 12

// The ways in which Render refuses its input.
var (
	// ErrPromptFormat is a format that this binary does not know.
	ErrPromptFormat = errors.New("unknown prompt format")
	// ErrPromptInput is an input of which no prompt can be made.
	ErrPromptInput = errors.New("prompt input refused")
)

// Messages is a prompt, ready to be sent.
type Messages struct {
	System string
	User   string
	// Truncated says that upstream text was cut to the budget; the prompt marks
	// where.
	Truncated bool
}

// PromptInput is everything that a task's prompt is made of. All texts are UTF-8
// without NUL.
type PromptInput struct {
	// System is the body of the specialist.
	System string
	// Request is what the user asked; it goes in whole, with its attachments.
	Request     string
	Attachments []Attachment
	// Reason says why this specialist was dispatched, where that is known.
	Reason string
	// Upstream holds the tasks that this one needs, in any order.
	Upstream []Upstream
	// Budget bounds the upstream text in bytes; 0 means DefaultBudget.
	Budget int
}

// Attachment is a file that the user gave along with the request.
type Attachment struct {
	Name string
	Text string
}

// Upstream is a task whose result this task needs.
type Upstream struct {
	TaskID     string
	Seq        int
	Specialist string
	// Provenance is the task's executor, like provider:openai:gpt-5 or
	// host:claude-code.
	Provenance string
	// Status is the task's status word. Only a task that is done has a result;
	// of any other, Text is ignored.
	Status string
	// Reason and ErrorCode say why there is no result.
	Reason    string
	ErrorCode string
	Text      string
	// Truncated says that the text was already incomplete when it arrived.
	Truncated bool
}

// Render writes the prompt of a task. It is pure: for one input the bytes are the
// same in every process and for every backend. The error wraps ErrPromptFormat or
// ErrPromptInput.
func Render(format int, in PromptInput) (Messages, error) {
	if format != PromptFormat {
		return Messages{}, fmt.Errorf("%w %d; run a worker of the version that submitted the run", ErrPromptFormat, format)
	}
	if err := in.check(); err != nil {
		return Messages{}, err
	}
	return renderFormat1(in), nil
}

// SHA256 returns the digest by which a prompt is known: of the system message,
// one NUL byte and the user message.
func SHA256(m Messages) string {
	return canonical.SHA256([]byte(m.System + "\x00" + m.User))
}

// PromptVersion returns the name of a system prompt's text: the first 12 digits
// of its digest.
func PromptVersion(system string) string {
	return canonical.SHA256([]byte(system))[:versionDigits]
}

func (in PromptInput) check() error {
	if in.Budget < 0 {
		return fmt.Errorf("%w: a budget of %d bytes", ErrPromptInput, in.Budget)
	}
	if strings.TrimSpace(in.Request) == "" && len(in.Attachments) == 0 {
		return fmt.Errorf("%w: the request is empty", ErrPromptInput)
	}
	parts := []struct{ what, text string }{
		{"the system prompt", in.System}, {"the request", in.Request}, {"the reason", in.Reason},
	}
	for i, a := range in.Attachments {
		what := fmt.Sprintf("attachment %d", i+1)
		parts = append(parts, struct{ what, text string }{what, a.Name + a.Text})
	}
	for _, u := range in.Upstream {
		what := fmt.Sprintf("upstream task %d", u.Seq)
		parts = append(parts, struct{ what, text string }{what, u.Text})
	}
	for _, p := range parts {
		if !utf8.ValidString(p.text) || strings.Contains(p.text, "\x00") {
			return fmt.Errorf("%w: %s is not UTF-8 text without NUL", ErrPromptInput, p.what)
		}
	}
	return nil
}
