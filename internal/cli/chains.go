package cli

import (
	"github.com/spf13/cobra"

	"github.com/tutti-dev/tutti/internal/chain"
	"github.com/tutti-dev/tutti/internal/specialist"
)

func (c *command) chains() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "chain",
		Short: "Know the chains: which specialists work in which order",
		Long: `Know the chains: which specialists work in which order.

They come from .tutti/chains here, from the user's configuration, and with tutti;
the first of a name wins. Wherever a chain is named, a list like
"architect -> engineer" will do as well.`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(c.chainList(), c.chainShow(), c.chainValidate())
	return cmd
}

// definitions are the chains and the specialists that they name.
type definitions struct {
	chains      *chain.Library
	specialists *specialist.Catalogue
}

func (c *command) definitions() (definitions, error) {
	a, err := c.open()
	if err != nil {
		return definitions{}, err
	}
	var d definitions
	if d.specialists, err = a.Specialists(); err != nil {
		return d, badFiles(err)
	}
	if d.chains, err = a.Chains(); err != nil {
		return d, badFiles(err)
	}
	return d, nil
}

// knownChain is a chain for programs. It has no version while one of its
// specialists cannot be used.
type knownChain struct {
	Name        string      `json:"name"`
	Version     *string     `json:"version"`
	Description string      `json:"description"`
	Source      string      `json:"source"`
	Tasks       []knownTask `json:"tasks"`
}

type knownTask struct {
	ID                string   `json:"id"`
	Specialist        string   `json:"specialist"`
	Needs             []string `json:"needs"`
	Backend           string   `json:"backend,omitempty"`
	Provider          string   `json:"provider,omitempty"`
	Model             string   `json:"model,omitempty"`
	OnUpstreamFailure string   `json:"onUpstreamFailure"`
	Reason            string   `json:"reason,omitempty"`
}

func (d definitions) encoded(ch chain.Chain) knownChain {
	version, _ := chain.Version(ch, d.specialists.Version) // Without a version it is null.
	out := knownChain{Name: ch.Name, Version: orNull(version), Description: ch.Description, Source: ch.Source}
	for _, t := range ch.Tasks {
		out.Tasks = append(out.Tasks, knownTask{
			ID: t.ID, Specialist: t.Specialist, Needs: append([]string{}, t.Needs...), Backend: t.Backend,
			Provider: t.Provider, Model: t.Model, OnUpstreamFailure: t.OnUpstreamFailure, Reason: t.Reason,
		})
	}
	return out
}
