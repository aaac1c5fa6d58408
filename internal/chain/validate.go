package chain

import (
	"errors"

	"github.com/tutti-dev/tutti/internal/definition"
)

// Lookup says whether a specialist can be used: nil, an error that says that
// nobody knows the name, or one that says why its file was refused.
type Lookup func(specialist string) error

// Validate asks for every specialist of the chain and returns an *InvalidError
// with each that cannot be used, at its place in the file. The lookup's own errors
// are found in it by errors.Is and errors.As.
func (c Chain) Validate(lookup Lookup) error {
	var report definition.Report
	addSpecialists(&report, c.Tasks, lookup)
	return report.Err(c.Source)
}

func addSpecialists(report *definition.Report, tasks []Task, lookup Lookup) {
	for _, t := range tasks {
		if lookup == nil || t.Specialist == "" {
			continue
		}
		err := lookup(t.Specialist)
		var missing *definition.NotFoundError
		switch {
		case err == nil:
		case errors.As(err, &missing):
			report.AddCause(t.at, missing.Message(), missing.NextStep(), err)
		default:
			report.AddCause(t.at, err.Error(), "", err)
		}
	}
}
