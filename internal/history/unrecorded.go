package history

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"go.temporal.io/sdk/temporal"

	"github.com/tutti-dev/tutti/internal/run"
)

// Unrecorded is what a call did while the store was away, with all that is
// needed to record it when the store is back.
type Unrecorded struct {
	TenantID, RunID, TaskID string
	Call                    int
	Provider, Model         string
	Price                   *run.Price
	Attempts                []Attempt
	// Answer is set when one of the attempts is the one that answered.
	Answer *TaskResult
}

// StoredAnswer is an answer as the store keeps it: the result, and the attempt
// that it is of.
type StoredAnswer struct {
	By     Attempt    `json:"by"`
	Result TaskResult `json:"result"`
}

// Encode returns the bytes for the store. What the store lacks is not its business.
func (s StoredAnswer) Encode() ([]byte, error) {
	s.Result.Unrecorded = nil
	body, err := json.Marshal(s)
	if err != nil {
		return nil, fmt.Errorf("encode an answer: %w", err)
	}
	return body, nil
}

// DecodeAnswer reads what Encode wrote.
func DecodeAnswer(body []byte) (StoredAnswer, error) {
	var s StoredAnswer
	if err := json.Unmarshal(body, &s); err != nil {
		return StoredAnswer{}, fmt.Errorf("decode the stored answer: %w", err)
	}
	return s, nil
}

// ScheduledAnew says that an activity is not the first one of its call: one
// before it may have asked the model already.
func ScheduledAnew(activityID string) bool {
	return strings.Contains(activityID[strings.LastIndexByte(activityID, '/')+1:], anew)
}

// noting wraps an outcome so that what the store lacks is noted when it is read.
func (f *Folder) noting(name activityName, o Outcome) Outcome {
	if o.Err != nil {
		f.note(name, unrecordedOf(o.Err), nil)
		return o
	}
	get := o.Get
	o.Get = func(into any) error {
		err := get(into)
		if result, ok := into.(*TaskResult); ok && err == nil {
			f.note(name, result.Unrecorded, result)
		}
		return err
	}
	return o
}

func unrecordedOf(err error) []Attempt {
	attempts := DetailOf(err).Unrecorded
	var timeout *temporal.TimeoutError
	var beaten []Attempt
	if errors.As(err, &timeout) && timeout.HasLastHeartbeatDetails() && timeout.LastHeartbeatDetails(&beaten) == nil {
		// A worker that was lost could say only by its heartbeats what it had begun.
		attempts = append(beaten, attempts...)
	}
	return attempts
}

// note keeps the attempts with the model that the task asks at this point of the history.
func (f *Folder) note(name activityName, attempts []Attempt, answer *TaskResult) {
	task := f.out.Record.TaskByID(name.taskID)
	if len(attempts) == 0 || task == nil {
		return
	}
	choice := f.out.Record.Choice(task)
	f.out.Unrecorded = append(f.out.Unrecorded, Unrecorded{
		TenantID: f.out.Record.TenantID, RunID: f.out.Record.RunID, TaskID: name.taskID, Call: name.call,
		Provider: choice.Provider, Model: choice.Model, Price: choice.Price,
		Attempts: attempts, Answer: answer,
	})
}
