package doctor

import (
	"context"
	"errors"
	"fmt"

	"github.com/tutti-dev/tutti/internal/config"
)

const checkConfiguration = "configuration"

// RefusedConfiguration is the finding of a configuration that could not be
// loaded, so that nothing else can be looked at.
func RefusedConfiguration(err error) Finding {
	f := trouble(checkConfiguration, &RefusedError{Err: err}, "correct the configuration and run `tutti doctor` again")
	var refused *config.Error
	if errors.As(err, &refused) && refused.NextStep != "" {
		f.NextStep = refused.NextStep
		f.Message = clip(refused.Message)
		if !refused.IsDefault() {
			f.Message = refused.String() + ": " + f.Message
		}
	}
	return f
}

// configuration says where the settings come from.
func (e examination) configuration(context.Context) []Finding {
	c := e.subject.Config
	file := "no configuration file"
	if c.File != "" {
		file = "from " + c.File
	}
	f := fine(checkConfiguration, "mode %s, tenant %s, principal %s, %s", c.Mode, c.Tenant, c.Principal, file)
	for _, s := range c.Explain() {
		if !s.Source.IsDefault() {
			f.Details = append(f.Details, fmt.Sprintf("%s: %s (%s)", s.Key, s.Value, s.Source))
		}
	}
	findings := []Finding{f}
	if err := e.subject.ConfigError; err != nil {
		findings = append(findings, RefusedConfiguration(err))
	}
	var missing *config.Error
	if err := c.RequireTenant(); errors.As(err, &missing) {
		findings = append(findings, Finding{
			Check: "tenant", Level: Warning, Message: missing.Message, NextStep: missing.NextStep,
		})
	}
	return findings
}
