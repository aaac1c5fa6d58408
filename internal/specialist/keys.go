package specialist

import (
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/tutti-dev/tutti/internal/definition"
)

// The limits of what a file may ask for. They catch slips of the keyboard, not
// the limits of a model.
const (
	maxMaxTokens      = 10_000_000
	maxTemperature    = 2.0
	maxFallbackModels = 8
	maxTools          = 200
)

// providerPattern is what a provider's name in the configuration may be.
var providerPattern = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]{0,63}$`)

// keys maps each key that tutti reads to how it is read.
func keys() map[string]func(*reader, definition.Field) {
	return map[string]func(*reader, definition.Field){
		"name":           (*reader).name,
		"description":    (*reader).description,
		"model":          (*reader).model,
		"tools":          (*reader).tools,
		"provider":       (*reader).provider,
		"maxTokens":      (*reader).maxTokens,
		"temperature":    (*reader).temperature,
		"fallbackModels": (*reader).fallbackModels,
		"reasoning":      (*reader).reasoning,
		"effort":         (*reader).effort,
		"extras":         (*reader).extras,
	}
}

func ownKeys() []string { return slices.Sorted(maps.Keys(keys())) }

// foreign says whether a key is one of Claude Code's that mean nothing here.
func foreign(key string) bool {
	switch key {
	case "color", "permissionMode", "hooks", "mcpServers", "skills", "memory", "disallowedTools",
		"maxTurns", "background", "isolation", "initialPrompt":
		return true
	}
	return false
}

func (r *reader) name(f definition.Field) {
	name := r.report.Text(f)
	if name != "" && !ValidName(name) {
		r.report.Add(f.Value.Pos, "name "+definition.Quote(name)+" cannot be used",
			"use up to 64 lower-case letters, digits and dashes, like code-reviewer")
		return
	}
	r.out.Name = name
}

func (r *reader) description(f definition.Field) {
	switch f.Value.Kind {
	case definition.Text, definition.Number, definition.Bool:
		r.out.Description = strings.TrimSpace(f.Value.Text)
	default:
		r.report.Add(f.Value.Pos, "description must be text", "write one sentence, in quotes where it holds a colon")
	}
}

func (r *reader) model(f definition.Field) {
	// Claude Code's "inherit" means the caller's own model, which is what an
	// unset model means here.
	if model := r.report.Text(f); model != "inherit" && r.checkModel(f.Value.Pos, f.Key, model) {
		r.out.Model = model
	}
}

func (r *reader) checkModel(at definition.Pos, key, model string) bool {
	if model == "" || definition.ValidModel(model) {
		return true
	}
	r.report.Add(at, key+" "+definition.Quote(model)+" is not the name of a model",
		"write one name without spaces, like anthropic/claude-sonnet-4.5 or an alias from the configuration")
	return false
}

func (r *reader) provider(f definition.Field) {
	provider := r.report.Text(f)
	if provider != "" && !providerPattern.MatchString(provider) {
		r.report.Add(f.Value.Pos, "provider "+definition.Quote(provider)+" is not the name of a provider",
			"write its name from the configuration, like openrouter")
		return
	}
	r.out.Provider = provider
}

func (r *reader) tools(f definition.Field) {
	var tools []string
	switch f.Value.Kind {
	case definition.Text:
		tools = splitTools(f.Value.Text)
	case definition.List:
		tools = []string{}
		for _, item := range r.report.Texts(f) {
			tools = append(tools, strings.TrimSpace(item.Text))
		}
	default:
		r.report.Add(f.Value.Pos, "tools must be a list", "write tools: Read, Grep or tools: [Read, Grep]")
		return
	}
	if len(tools) > maxTools {
		r.report.Add(f.Value.Pos, fmt.Sprintf("tools has %d entries", len(tools)), fmt.Sprintf("name at most %d", maxTools))
		return
	}
	r.out.Tools = tools
}

// splitTools splits a comma list. A comma within parentheses belongs to its
// tool: Bash(git log, git diff) is one.
func splitTools(text string) []string {
	tools := []string{}
	depth, start := 0, 0
	take := func(end int) {
		if tool := strings.TrimSpace(text[start:end]); tool != "" {
			tools = append(tools, tool)
		}
		start = end + 1
	}
	for i := range len(text) {
		switch text[i] {
		case '(':
			depth++
		case ')':
			depth = max(depth-1, 0)
		case ',':
			if depth == 0 {
				take(i)
			}
		}
	}
	take(len(text))
	return tools
}

func (r *reader) maxTokens(f definition.Field) {
	n, err := strconv.Atoi(f.Value.Text)
	if f.Value.Kind != definition.Number || err != nil || n < 1 || n > maxMaxTokens {
		r.report.Add(f.Value.Pos, "maxTokens must be a whole number from 1 to "+strconv.Itoa(maxMaxTokens), "write for instance maxTokens: 4096")
		return
	}
	r.out.MaxTokens = n
}

func (r *reader) temperature(f definition.Field) {
	v, err := strconv.ParseFloat(f.Value.Text, 64)
	if f.Value.Kind != definition.Number || err != nil || math.IsNaN(v) || v < 0 || v > maxTemperature {
		r.report.Add(f.Value.Pos, "temperature must be a number from 0 to 2", "write for instance temperature: 0.2")
		return
	}
	v += 0 // A negative zero is the temperature zero.
	r.out.Temperature = &v
}

func (r *reader) fallbackModels(f definition.Field) {
	items := r.report.Texts(f)
	if len(items) > maxFallbackModels {
		r.report.Add(f.Value.Pos, fmt.Sprintf("fallbackModels has %d entries", len(items)), fmt.Sprintf("name at most %d", maxFallbackModels))
		return
	}
	for _, item := range items {
		if r.checkModel(item.Pos, "fallback model", item.Text) {
			r.out.FallbackModels = append(r.out.FallbackModels, item.Text)
		}
	}
}

func (r *reader) reasoning(f definition.Field) {
	r.out.Reasoning = r.report.Choice(f, ReasoningHidden, ReasoningSurface)
}

func (r *reader) effort(f definition.Field) {
	r.out.Effort = r.report.Choice(f, Efforts()...)
}

func (r *reader) extras(f definition.Field) {
	extras, problem := definition.Extras(f)
	if problem != nil {
		r.report.AddCause(problem.Pos, problem.Message, problem.NextStep, problem.Cause)
		return
	}
	r.out.Extras = extras
}
