package kept

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/tutti-dev/tutti/internal/content"
	"github.com/tutti-dev/tutti/internal/ledger"
	"github.com/tutti-dev/tutti/internal/run"
)

// RecordSpecialists inserts the specialists of a plan where they are absent. The
// definition names the prompt by digest, so that it is the same however the prompt
// travelled. The error is ledger.ErrSpecialistChanged when a version stands for
// other content than before; other errors are the store's.
func RecordSpecialists(ctx context.Context, s ledger.Specialists, tenant string, plan *run.Plan) error {
	if plan == nil {
		return nil
	}
	for _, pinned := range plan.Specialists {
		if pinned.Version == "" {
			continue
		}
		pinned.Prompt = content.Text{SHA256: pinned.Prompt.SHA256, Size: pinned.Prompt.Size}
		definition, err := json.Marshal(pinned)
		if err != nil {
			return fmt.Errorf("encode specialist %s: %w", pinned.Name, err)
		}
		err = s.RecordSpecialist(ctx, ledger.SpecialistRow{
			Tenant: tenant, Name: pinned.Name, Version: pinned.Version, ID: pinned.ID, Definition: definition,
		})
		if err != nil {
			return fmt.Errorf("record specialist %s: %w", pinned.Name, err)
		}
	}
	return nil
}
