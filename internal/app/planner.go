package app

import (
	"context"
	"errors"
	"fmt"

	"github.com/tutti-dev/tutti/activities"
	"github.com/tutti-dev/tutti/internal/config"
	"github.com/tutti-dev/tutti/internal/content"
	"github.com/tutti-dev/tutti/internal/history"
	"github.com/tutti-dev/tutti/internal/plan"
	"github.com/tutti-dev/tutti/internal/price"
	"github.com/tutti-dev/tutti/internal/run"
)

// maker is the plan maker over what this process has defined and configured.
func (a *App) maker(ctx context.Context) (*plan.Maker, error) {
	specialists, err := a.Specialists()
	if err != nil {
		return nil, err
	}
	chains, err := a.Chains()
	if err != nil {
		return nil, err
	}
	prices, err := price.Load(a.dirs())
	if err != nil {
		return nil, &ConfigError{Err: err}
	}
	return &plan.Maker{
		Specialists: specialists, Chains: chains, Providers: a.presence(ctx),
		Backend: a.Config.Backend, Default: run.BackendInline, Model: a.Config.Model,
		Budget: a.Config.Budget, Terms: a.terms, Prices: prices,
		HostTimeoutMS: a.Config.Host.ResultTimeout.Milliseconds(),
	}, nil
}

// terms are those of calls to a provider. They are pinned in the run, so that
// a later change of the configuration does not change a run under way.
func (a *App) terms(name string) plan.Terms {
	c := a.Config.Provider(name)
	return plan.Terms{
		Queue: queueOf(c), MaxTokens: c.MaxTokens,
		Limits: run.Limits{
			TimeoutMS: c.Timeout.Milliseconds(), MaxAttempts: c.Retry.MaxAttempts,
			InitialBackoffMS: c.Retry.InitialBackoff.Milliseconds(), MaxBackoffMS: c.Retry.MaxBackoff.Milliseconds(),
			ParkMS: a.Config.Limits.Park.Milliseconds(),
		},
	}
}

// queuePrefix begins the names of the task queues of providers with a rate.
const queuePrefix = "tutti-provider-"

// queueOf is the queue that a provider's calls share across workers where a rate
// has to hold, and empty for any other.
func queueOf(c config.Provider) string {
	if c.CallsPerSecond == 0 {
		return ""
	}
	return queuePrefix + c.Name
}

// planner plans, on the worker, runs that were started by hand.
type planner struct{ app *App }

// ResolvePlan implements activities.Planner. Such a run belongs to the worker's
// own tenant and principal unless it says otherwise.
func (p planner) ResolvePlan(ctx context.Context, in history.RunInput) (history.PlanResult, error) {
	if in.TenantID == "" {
		if err := p.app.Config.RequireTenant(); err != nil {
			return history.PlanResult{}, &activities.Refusal{Code: run.CodeRunInputInvalid, Message: err.Error()}
		}
		in.TenantID = p.app.Config.Tenant
	}
	if in.PrincipalID == "" {
		in.PrincipalID = p.app.Config.Principal
	}
	wish, err := p.wish(ctx, in)
	if err != nil {
		return history.PlanResult{}, err
	}
	m, err := p.app.maker(ctx)
	var unusable *ConfigError
	if errors.As(err, &unusable) {
		return history.PlanResult{}, &activities.Refusal{
			Code: run.CodeRunInputInvalid, Message: err.Error(), Remediation: "correct it where the worker runs, then start the run again", Cause: err,
		}
	}
	if err != nil {
		return history.PlanResult{}, err
	}
	made, err := m.Make(wish)
	var refused *plan.Refusal
	if errors.As(err, &refused) {
		return history.PlanResult{}, &activities.Refusal{
			Code: refused.Code, Message: refused.Message, Remediation: refused.NextStep, Cause: err,
		}
	}
	if err != nil {
		return history.PlanResult{}, err
	}
	if err := p.app.keep(ctx, wish.TenantID, made.Keep); err != nil {
		return history.PlanResult{}, err
	}
	return history.PlanResult{TenantID: wish.TenantID, PrincipalID: wish.PrincipalID, Plan: *made.Input.Plan}, nil
}

func (p planner) wish(ctx context.Context, in history.RunInput) (plan.Wish, error) {
	w := plan.Wish{
		TenantID: in.TenantID, PrincipalID: in.PrincipalID,
		Chain: in.Chain, Backend: in.Backend, Model: in.Model, Provider: in.Provider,
	}
	kept, _, err := p.app.Store(ctx)
	if err != nil {
		return plan.Wish{}, err
	}
	if w.Request, err = content.Fetch(ctx, kept, in.TenantID, in.Request); err != nil {
		return plan.Wish{}, fmt.Errorf("the request: %w", err)
	}
	for _, attached := range in.Attachments {
		text, err := content.Fetch(ctx, kept, in.TenantID, attached.Text)
		if err != nil {
			return plan.Wish{}, fmt.Errorf("attachment %s: %w", attached.Name, err)
		}
		w.Attachments = append(w.Attachments, plan.Attachment{Name: attached.Name, Text: text})
	}
	return w, nil
}

// keep stores the texts of a run that travel by reference.
func (a *App) keep(ctx context.Context, tenant string, texts map[string]string) error {
	if len(texts) == 0 {
		return nil
	}
	kept, _, err := a.Store(ctx)
	if err != nil {
		return err
	}
	for digest, text := range texts {
		if err := kept.PutContent(ctx, tenant, digest, []byte(text)); err != nil {
			return fmt.Errorf("the store must keep texts of this run, and cannot: %w: %w", content.ErrUnavailable, err)
		}
	}
	return nil
}
