package cli

import (
	"github.com/spf13/cobra"

	"github.com/tutti-dev/tutti/internal/specialist"
)

func (c *command) specialists() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "specialist",
		Short: "Know the specialists: the personas that work on requests",
		Long: `Know the specialists: the personas that work on requests.

They come from .tutti/specialists and .claude/agents here, from the user's
configuration, and with tutti; the first of a name wins.`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(c.specialistList(), c.specialistShow())
	return cmd
}

// knownSpecialist is a specialist for programs.
type knownSpecialist struct {
	Name           string         `json:"name"`
	ID             string         `json:"id"`
	Version        string         `json:"version"`
	Description    string         `json:"description"`
	Model          string         `json:"model,omitempty"`
	Provider       string         `json:"provider,omitempty"`
	Tools          []string       `json:"tools,omitempty"`
	MaxTokens      int            `json:"maxTokens,omitempty"`
	Temperature    *float64       `json:"temperature,omitempty"`
	FallbackModels []string       `json:"fallbackModels,omitempty"`
	Reasoning      string         `json:"reasoning,omitempty"`
	Effort         string         `json:"effort,omitempty"`
	Extras         map[string]any `json:"extras,omitempty"`
	Source         string         `json:"source"`
	Warnings       []string       `json:"warnings,omitempty"`
	Prompt         string         `json:"prompt,omitempty"`
}

func encodedSpecialist(s specialist.Specialist) knownSpecialist {
	return knownSpecialist{
		Name: s.Name, ID: s.ID, Version: s.Version, Description: s.Description, Model: s.Model, Provider: s.Provider,
		Tools: s.Tools, MaxTokens: s.MaxTokens, Temperature: s.Temperature, FallbackModels: s.FallbackModels,
		Reasoning: s.Reasoning, Effort: s.Effort, Extras: s.Extras, Source: s.Source, Warnings: s.Warnings, Prompt: s.Prompt,
	}
}
