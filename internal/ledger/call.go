package ledger

import (
	"context"
	"errors"
	"time"

	"github.com/tutti-dev/tutti/internal/run"
)

// ErrNotFound is returned by Answers.LoadAnswer when no answer is stored.
var ErrNotFound = errors.New("no answer stored")

// CallKey names one question to a model.
type CallKey struct {
	Tenant string
	RunID  string
	TaskID string
	Call   int
}

// State is where an attempt stands.
type State string

// The states of an attempt. All but Started are final.
const (
	Started   State = "started"
	Answered  State = "answered"
	Failed    State = "failed"
	Abandoned State = "abandoned"
	Uncertain State = "uncertain"
)

// States lists them.
func States() []State { return []State{Started, Answered, Failed, Abandoned, Uncertain} }

// Correctable lists the states that a closing in the given state may replace.
func Correctable(closing State) []State {
	if closing == Uncertain {
		return []State{Started}
	}
	return []State{Started, Uncertain}
}

// Attempt is one HTTP request for a call.
type Attempt struct {
	CallKey
	// Attempt counts from 1 within the call; BeginAttempt assigns it.
	Attempt int
	// Source names the execution that made the request:
	// "<temporal run ID>/<activity ID>/<activity attempt>". It is unique per tenant.
	Source string
	// Kind is "model"; tools with side effects will be the next.
	Kind string
	// IdempotencyClass says what repeating the request means: "at-least-once".
	IdempotencyClass string
	Provider, Model  string
	PromptSHA256     string
	// PriceID names the price that the attempt is billed with; empty is unpriced.
	PriceID   string
	StartedAt time.Time
	Closing
}

// Closing is how an attempt ended. Usage that is not known is nil.
type Closing struct {
	State      State
	Class      string
	RequestID  string
	FinishedAt time.Time
	Usage      run.Usage
}

// Calls records attempts.
//
// BeginAttempt inserts a started attempt and returns its number. Beginning the
// same Source again returns the number it already has. CloseAttempt closes a
// started attempt, and reports false when it was closed already: the first
// closing stays. Attempts lists a call's attempts by number.
type Calls interface {
	BeginAttempt(ctx context.Context, a Attempt) (int, error)
	CloseAttempt(ctx context.Context, key CallKey, attempt int, c Closing) (bool, error)
	Attempts(ctx context.Context, key CallKey) ([]Attempt, error)
}

// Answer is the stored answer of a call. Body is the encoded answer, opaque to
// the store.
type Answer struct {
	CallKey
	PromptSHA256 string
	Body         []byte
	StoredAt     time.Time
}

// Answers keeps the first answer of each call.
//
// SaveAnswer stores the answer if there is none for the call and prompt, and
// returns the one that is stored now. LoadAnswer returns ErrNotFound when there
// is none.
type Answers interface {
	SaveAnswer(ctx context.Context, a Answer) (Answer, error)
	LoadAnswer(ctx context.Context, key CallKey, promptSHA256 string) (Answer, error)
}
