package projector

import (
	"context"
	"errors"
	"sync"

	"github.com/tutti-dev/tutti/internal/kept"
	"github.com/tutti-dev/tutti/internal/ledger"
	"github.com/tutti-dev/tutti/internal/run"
)

// versions remembers the specialists' versions that this process has recorded: the
// same few stand in nearly every run.
type versions struct {
	mu   sync.Mutex
	list map[version]bool
}

type version struct{ tenant, name, version string }

// maxVersions bounds what is remembered; beyond it, it begins anew.
const maxVersions = 10_000

func newVersions() *versions { return &versions{list: make(map[version]bool)} }

// all says whether every version of a plan is known.
func (v *versions) all(tenant string, plan *run.Plan) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, s := range plan.Specialists {
		if !v.list[version{tenant, s.Name, s.Version}] {
			return false
		}
	}
	return true
}

func (v *versions) add(tenant string, plan *run.Plan) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if len(v.list) > maxVersions {
		clear(v.list)
	}
	for _, s := range plan.Specialists {
		v.list[version{tenant, s.Name, s.Version}] = true
	}
}

// recordSpecialists keeps the versions of a run that was started without the store.
func (p *Projector) recordSpecialists(ctx context.Context, tenant string, events []run.Stamped) error {
	for _, e := range events {
		plan := planOf(e.Event)
		if plan == nil || p.known.all(tenant, plan) {
			continue
		}
		err := kept.RecordSpecialists(ctx, p.mirror, tenant, plan)
		switch {
		case err == nil:
			p.known.add(tenant, plan)
		case errors.Is(err, ledger.ErrSpecialistChanged):
			p.o.Log.Error("a specialist's version stands for other content", "error", err)
		default:
			return err
		}
	}
	return nil
}

// planOf is the plan that an event brings, or nil.
func planOf(e run.Event) *run.Plan {
	switch e := e.(type) {
	case run.Started:
		return e.Plan
	case run.PlanResolved:
		return &e.Plan
	default:
		return nil
	}
}
