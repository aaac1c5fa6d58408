package projector

import (
	"context"
	"errors"

	"github.com/tutti-dev/tutti/internal/runs"
)

// Failed is a run that cannot be folded; Reason names the event.
type Failed struct {
	RunID  string `json:"runId"`
	Reason string `json:"reason"`
}

// Rebuilt is what a rebuild did.
type Rebuilt struct {
	// Runs were folded and saved, Archived of them from the archive.
	Runs     int `json:"runs"`
	Archived int `json:"archived"`
	// Forgotten stand in the mirror alone: neither Temporal nor the archive has
	// their history, and their rows stay as they are.
	Forgotten int      `json:"forgotten"`
	Failed    []Failed `json:"failed"`
}

// Rebuild folds every run that Temporal or the archive has and saves it, also over
// a row of the same version. What one run's history does wrong stops no other.
func (s *Survey) Rebuild(ctx context.Context) (Rebuilt, error) {
	out := Rebuilt{Failed: []Failed{}}
	all, err := s.all(ctx)
	if err != nil {
		return out, err
	}
	for _, k := range all {
		w, err := s.whole(ctx, k)
		if err == nil {
			err = s.projector.save(ctx, w, true)
		}
		switch {
		case errors.Is(err, runs.ErrNotFound):
			if k.inMirror {
				out.Forgotten++
			}
		case err != nil && stops(ctx, err):
			return out, err
		case err != nil:
			out.Failed = append(out.Failed, Failed{k.runID, err.Error()})
		default:
			out.Runs++
			if w.Archived {
				out.Archived++
			}
		}
	}
	return out, nil
}
