package ledger

import (
	"context"
	"errors"
)

// ErrSpecialistChanged says that a name and version stand for other content than
// what was recorded under them.
var ErrSpecialistChanged = errors.New("the specialist was recorded with other content under this version")

// SpecialistRow is one version of a specialist, as a run was submitted with it.
type SpecialistRow struct {
	Tenant, Name, Version string
	ID                    string
	Definition            []byte
}

// Specialists keeps every version of a specialist that a run was submitted with.
// It only grows.
//
// RecordSpecialist stores the row if there is none of that name and version, does
// nothing if it is the same, and returns ErrSpecialistChanged if it is not.
type Specialists interface {
	RecordSpecialist(ctx context.Context, s SpecialistRow) error
}
