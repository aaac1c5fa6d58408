package specialist

import (
	"fmt"
	"regexp"
	"slices"

	"github.com/google/uuid"

	"github.com/tutti-dev/tutti/internal/canonical"
)

// Specialist is one persona, as it was read from its file.
type Specialist struct {
	// Name is unique in a catalogue; ID is derived from it alone.
	Name string
	ID   string
	// Version is derived from everything that shapes behaviour, and from
	// nothing else: see version.
	Version string
	// Description is for people who choose; no model sees it.
	Description string
	// Model and Provider are empty where the file leaves them to the task, the
	// chain or the configuration.
	Model    string
	Provider string
	// Tools is nil where the file says nothing, which is not the same as an
	// empty list, "no tools".
	Tools []string
	// MaxTokens bounds the answer; 0 means that the file sets no bound.
	MaxTokens int
	// Temperature is nil where the file says nothing; 0 is a temperature.
	Temperature *float64
	// FallbackModels are models that may stand in for Model, in order.
	FallbackModels []string
	// Reasoning is "hidden", "surface" or empty.
	Reasoning string
	// Effort asks the model to reason, one of Efforts; empty asks for nothing.
	Effort string
	// Extras are members of the request that a vendor understands, as JSON values.
	Extras map[string]any
	// Prompt is the body of the file, verbatim: the system prompt.
	Prompt string
	// Source is the file, as messages name it.
	Source string
	// Warnings name what the file says and tutti does not use, each with file
	// and line.
	Warnings []string
}

// The values of Specialist.Reasoning.
const (
	ReasoningHidden  = "hidden"  // reasoning stays out of the output
	ReasoningSurface = "surface" // reasoning is shown beside the output
)

// Efforts are the levels of reasoning that may be asked for, the least first.
// Which of them a model knows is its vendor's business.
func Efforts() []string { return []string{"minimal", "low", "medium", "high", "xhigh", "max"} }

// namePattern is what a name may be: it stands in task IDs, file names and
// commands.
var namePattern = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,63}$`)

// ValidName says whether a specialist can have this name.
func ValidName(name string) bool { return namePattern.MatchString(name) }

// ID returns the identity of the specialist with this name, the same in every
// process and for every version: a UUIDv5 in the URL namespace.
func ID(name string) string {
	return uuid.NewSHA1(uuid.NameSpaceURL, []byte("tutti:specialist:"+name)).String()
}

// version returns the content-addressed version. The prompt counts by its bytes,
// so it enters as a digest: the canonical form would fold two spellings of one
// character together. Name, description and source shape no behaviour.
func version(s Specialist) (string, error) {
	var temperature any
	if s.Temperature != nil {
		temperature = *s.Temperature
	}
	form := map[string]any{
		"promptSha256":   canonical.SHA256([]byte(s.Prompt)),
		"promptFormat":   PromptFormat,
		"model":          s.Model,
		"provider":       s.Provider,
		"tools":          list(s.Tools),
		"maxTokens":      s.MaxTokens,
		"temperature":    temperature,
		"fallbackModels": list(s.FallbackModels),
		"reasoning":      s.Reasoning,
	}
	// Keys that came later count where they are used, so that the versions of all
	// other files stay what they were.
	if s.Effort != "" {
		form["effort"] = s.Effort
	}
	if len(s.Extras) > 0 {
		form["extras"] = s.Extras
	}
	v, err := canonical.Version(form)
	if err != nil {
		return "", fmt.Errorf("version of specialist %s: %w", s.Name, err)
	}
	return v, nil
}

// list keeps the difference between nothing said and nothing wanted.
func list(items []string) any {
	if items == nil {
		return nil
	}
	return items
}

// clone returns a specialist that shares nothing with s, so that a caller cannot
// change the catalogue.
func (s Specialist) clone() Specialist {
	s.Tools = slices.Clone(s.Tools)
	s.FallbackModels = slices.Clone(s.FallbackModels)
	s.Warnings = slices.Clone(s.Warnings)
	if s.Temperature != nil {
		temperature := *s.Temperature
		s.Temperature = &temperature
	}
	s.Extras, _ = cloneValue(s.Extras).(map[string]any)
	return s
}

func cloneValue(value any) any {
	switch v := value.(type) {
	case map[string]any:
		members := make(map[string]any, len(v))
		for key, member := range v {
			members[key] = cloneValue(member)
		}
		return members
	case []any:
		list := make([]any, 0, len(v))
		for _, item := range v {
			list = append(list, cloneValue(item))
		}
		return list
	}
	return value
}
