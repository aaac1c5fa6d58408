package config

import (
	"errors"
	"fmt"
)

// Error is a configuration that is refused. It fails the same way again until
// somebody edits the place that it names.
type Error struct {
	Origin   // of what is refused; the zero Origin names no place
	Message  string
	NextStep string
	Err      error // what went wrong below, where there is something
}

// Error returns place, message and next step in one line.
func (e *Error) Error() string {
	text := e.Message
	if e.NextStep != "" {
		text += "; " + e.NextStep
	}
	if e.IsDefault() {
		return text
	}
	return e.String() + ": " + text
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// refusal is what is wrong with a value, told by those who do not know where
// the value stood.
type refusal struct{ message, next string }

// Error returns message and next step.
func (r *refusal) Error() string { return r.message + "; " + r.next }

func refuse(next, format string, args ...any) error {
	return &refusal{message: fmt.Sprintf(format, args...), next: next}
}

// refusedAt gives a refusal its place.
func refusedAt(at Origin, key string, err error) error {
	var r *refusal
	if errors.As(err, &r) {
		return &Error{Origin: at, Message: key + " " + r.message, NextStep: r.next}
	}
	return &Error{Origin: at, Message: key + " is refused", NextStep: "correct the value", Err: err}
}
