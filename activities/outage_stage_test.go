package activities_test

import (
	"context"
	"errors"
	"sync"

	"github.com/tutti-dev/tutti/internal/ledger"
	"github.com/tutti-dev/tutti/internal/store/memory"
)

var errOutage = errors.New("the store is down")

// outage is a store that can be taken away, for all or for some questions.
type outage struct {
	*memory.Store
	mu      sync.Mutex
	down    bool
	without string // the only method that fails
	refusal int    // how often the store has refused
	back    int    // after so many refusals it is there again; 0 means never
}

func (o *outage) set(down bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.down = down
}

func (o *outage) fail(method string) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.down || o.without != "" && o.without != method {
		return nil
	}
	if o.refusal++; o.refusal == o.back {
		o.down = false
	}
	return errOutage
}

func (o *outage) LoadAnswer(ctx context.Context, key ledger.CallKey, sha string) (ledger.Answer, error) {
	if err := o.fail("LoadAnswer"); err != nil {
		return ledger.Answer{}, err
	}
	return o.Store.LoadAnswer(ctx, key, sha)
}

func (o *outage) SaveAnswer(ctx context.Context, a ledger.Answer) (ledger.Answer, error) {
	if err := o.fail("SaveAnswer"); err != nil {
		return ledger.Answer{}, err
	}
	return o.Store.SaveAnswer(ctx, a)
}

func (o *outage) GetContent(ctx context.Context, tenant, sha string) ([]byte, error) {
	if err := o.fail("GetContent"); err != nil {
		return nil, err
	}
	return o.Store.GetContent(ctx, tenant, sha)
}

func (o *outage) PutContent(ctx context.Context, tenant, sha string, text []byte) error {
	if err := o.fail("PutContent"); err != nil {
		return err
	}
	return o.Store.PutContent(ctx, tenant, sha, text)
}

func (o *outage) BeginAttempt(ctx context.Context, a ledger.Attempt) (int, error) {
	if err := o.fail("BeginAttempt"); err != nil {
		return 0, err
	}
	return o.Store.BeginAttempt(ctx, a)
}

func (o *outage) CloseAttempt(ctx context.Context, key ledger.CallKey, n int, c ledger.Closing) (bool, error) {
	if err := o.fail("CloseAttempt"); err != nil {
		return false, err
	}
	return o.Store.CloseAttempt(ctx, key, n, c)
}

func (o *outage) Attempts(ctx context.Context, key ledger.CallKey) ([]ledger.Attempt, error) {
	if err := o.fail("Attempts"); err != nil {
		return nil, err
	}
	return o.Store.Attempts(ctx, key)
}

func (o *outage) RecordPrice(ctx context.Context, p ledger.PriceRow) error {
	if err := o.fail("RecordPrice"); err != nil {
		return err
	}
	return o.Store.RecordPrice(ctx, p)
}
