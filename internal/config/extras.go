package config

import "github.com/tutti-dev/tutti/internal/definition"

// readExtras reads the members that every request to a provider carries.
func (p *Provider) readExtras(s scope, entry definition.Field) error {
	extras, problem := definition.Extras(entry)
	if problem != nil {
		return &Error{
			Origin: s.file.at(problem.Pos), Message: s.path + problem.Message,
			NextStep: problem.NextStep, Err: problem.Cause,
		}
	}
	p.Extras = extras
	s.origins[s.path+entry.Key] = s.file.at(entry.Pos)
	return nil
}
