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
	return append(findings, e.variables()...)
}

// variables finds settings that nobody reads: a variable's name with a slip in it
// is otherwise passed over in silence.
func (e examination) variables() []Finding {
	var findings []Finding
	for _, unknown := range config.UnknownVariables(e.subject.Environ) {
		next := "unset it, or see `tutti doctor -v` for what is set"
		if len(unknown.Near) > 0 {
			next = "did you mean " + unknown.Near[0] + "?"
		}
		findings = append(findings, Finding{
			Check: checkConfiguration, Level: Warning, NextStep: next,
			Message: "the variable " + unknown.Name + " is no setting and has no effect",
		})
	}
	return findings
}
