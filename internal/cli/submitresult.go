package cli

import (
	"cmp"
	"context"
	"fmt"

	"github.com/tutti-dev/tutti/internal/run"
)

// result prints the outcome and turns the status into an exit code.
func (s *submission) result(ctx context.Context, record run.Record) error {
	if err := s.hydrate(ctx, &record); err != nil {
		// A record with a text missing is still the record, and the digest of the
		// text is in it. A message without its text would be none.
		if !s.json {
			return err
		}
		s.say("warning: %s", oneLine(err.Error()))
	}
	s.comment(record)
	var err error
	switch {
	case s.json:
		err = s.printJSON(record)
	case record.Status == run.CompletedPrepareOnly:
		err = s.printPrompts(ctx, record)
	case record.FinalMessage != "":
		_, err = fmt.Fprintln(s.process.Stdout, record.FinalMessage)
	}
	if err != nil {
		return err
	}
	return exit(exitOf(&record))
}

// comment says on standard error what the result is and is not.
func (s *submission) comment(record run.Record) {
	for i := range record.Tasks {
		t := &record.Tasks[i]
		if t.Error != nil {
			s.say("%s: %s: %s; %s", t.ID, t.Error.Code, t.Error.Message, t.Error.Remediation)
		}
		for _, w := range t.Warnings {
			s.say("warning: %s: %s", t.ID, w)
		}
	}
	if record.Error != nil {
		s.say("%s: %s", record.Error.Code, record.Error.Message)
	}
	if record.Status == run.CompletedPrepareOnly {
		s.say("Nothing was executed: inline prepares prompts and asks no model. %s", s.providerHint())
	}
	if awaitsHost(&record) {
		s.say("%s", hostAdvice(&record))
		return
	}
	s.say("run %s: %s", record.RunID, record.Status)
}

// providerHint says what --backend provider would use.
func (s *submission) providerHint() string {
	model := cmp.Or(s.wish.Model, s.app.Config.Model)
	if model == "" {
		return "`--backend provider --model MODEL` would execute them; demo/echo needs no key."
	}
	return "`--backend provider` would ask " + model + "."
}

func (s *submission) printPrompts(ctx context.Context, record run.Record) error {
	for i := range record.Tasks {
		t := &record.Tasks[i]
		prompt, err := s.promptOf(ctx, record, t)
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintf(s.process.Stdout, "===== %s: system =====\n%s\n===== %s: user =====\n%s\n", t.ID, prompt.System, t.ID, prompt.User); err != nil {
			return err
		}
	}
	return nil
}
