package doctor

import (
	"errors"
	"fmt"
	"slices"
)

// Level says how much a finding matters.
type Level string

// The levels, in the order of their weight.
const (
	OK      Level = "ok"
	Advice  Level = "advice"  // nothing is wrong, and something could be better
	Warning Level = "warning" // something will not work, and the rest does
	Problem Level = "problem" // tutti does not work as it was asked to
)

// Cause says what kind of problem a finding is.
type Cause string

// The causes of a problem.
const (
	// Configuration fails the same way again until somebody changes a setting
	// or the schema.
	Configuration Cause = "configuration"
	// Platform is something that does not answer now.
	Platform Cause = "platform"
)

// Finding is what a check has to say about one thing.
type Finding struct {
	// Check names what was looked at, in words.
	Check   string `json:"check"`
	Level   Level  `json:"level"`
	Message string `json:"message"`
	// NextStep is what to do about it; never empty above OK.
	NextStep string `json:"nextStep,omitempty"`
	// Cause is set for a problem only.
	Cause Cause `json:"cause,omitempty"`
	// Fixable says that --fix can do it; Fixed that it has.
	Fixable bool `json:"fixable"`
	Fixed   bool `json:"fixed"`
	// Details are lines for those who want to know more.
	Details []string `json:"details,omitempty"`
}

// Outcome is what a report comes to.
type Outcome string

// The outcomes.
const (
	// Healthy means that everything could be looked at and nothing is a problem.
	Healthy Outcome = "healthy"
	// Refused means that a configuration has to be changed. It goes before
	// Unreachable, because waiting does not mend it.
	Refused Outcome = "refused"
	// Unreachable means that something did not answer.
	Unreachable Outcome = "unreachable"
)

// Report is every finding, in the order of the checks.
type Report struct {
	Findings []Finding
}

// Outcome is decided by the causes of the problems alone.
func (r Report) Outcome() Outcome {
	outcome := Healthy
	for _, f := range r.Findings {
		switch {
		case f.Level != Problem:
		case f.Cause == Configuration:
			return Refused
		default:
			outcome = Unreachable
		}
	}
	return outcome
}

// Count returns the number of findings of a level.
func (r Report) Count(level Level) int {
	n := 0
	for _, f := range r.Findings {
		if f.Level == level {
			n++
		}
	}
	return n
}

// Fixable says that --fix could do something about what is not fixed yet.
func (r Report) Fixable() bool {
	return slices.ContainsFunc(r.Findings, func(f Finding) bool { return f.Fixable && !f.Fixed })
}

// String is the report in one line.
func (r Report) String() string {
	problems, warnings := r.Count(Problem), r.Count(Warning)
	text := count(problems, "problem") + ", " + count(warnings, "warning")
	if problems+warnings == 0 {
		text = "all is well"
	}
	if r.Fixable() {
		text += "; `tutti doctor --fix` can mend some of it"
	}
	return text
}

// RefusedError marks an error of a port as a setting that has to be changed;
// any other error is something that does not answer.
type RefusedError struct{ Err error }

// Error implements error.
func (e *RefusedError) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e *RefusedError) Unwrap() error { return e.Err }

// causeOf tells the two kinds of problems apart.
func causeOf(err error) Cause {
	var refused *RefusedError
	if errors.As(err, &refused) {
		return Configuration
	}
	return Platform
}

// fine is a finding without a next step.
func fine(check, format string, args ...any) Finding {
	return Finding{Check: check, Level: OK, Message: fmt.Sprintf(format, args...)}
}

// trouble is a problem that an error tells.
func trouble(check string, err error, next string) Finding {
	return Finding{Check: check, Level: Problem, Cause: causeOf(err), Message: line(err), NextStep: next}
}
