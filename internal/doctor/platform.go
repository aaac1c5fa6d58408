package doctor

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

const (
	checkTemporal   = "temporal"
	checkAttributes = "search attributes"
)

// ErrNotPermitted is what a port returns when the server answers and does not
// let this user look or change.
var ErrNotPermitted = errors.New("this user is not permitted to")

// Temporal is the server that runs live in.
type Temporal interface {
	// Server connects. A RefusedError is a setting that has to be changed; its
	// next step is the caller's, any other error means no answer.
	Server(ctx context.Context) (Server, error)
}

// Server is who answered.
type Server struct {
	Address, Namespace, Version string
	// NamespaceMissing says that the server has no such namespace.
	NamespaceMissing bool
}

// Attributes are the search attributes by which runs are filtered.
type Attributes interface {
	Missing(ctx context.Context) ([]string, error)
	Register(ctx context.Context) error
}

// platform looks at Temporal, and behind it only when it answers.
func (e examination) platform(ctx context.Context) []Finding {
	server, err := e.subject.Temporal.Server(ctx)
	if err != nil {
		f := trouble(checkTemporal, err, "start one with `tutti dev`, or set TEMPORAL_ADDRESS")
		if f.Cause == Configuration {
			f.NextStep = "correct the TEMPORAL_* variables or Temporal's configuration file"
		}
		f.Message += "; search attributes, workers and runs were not looked at"
		return []Finding{f}
	}
	if server.NamespaceMissing {
		return []Finding{{
			Check: checkTemporal, Level: Problem, Cause: Configuration,
			Message: fmt.Sprintf("%s has no namespace %s; search attributes, workers and runs were not looked at",
				server.Address, server.Namespace),
			NextStep: fmt.Sprintf("set TEMPORAL_NAMESPACE, or run `temporal operator namespace create --namespace %s`", server.Namespace),
		}}
	}
	findings := []Finding{
		fine(checkTemporal, "%s, namespace %s, server %s", server.Address, server.Namespace, server.Version),
		e.attributes(ctx),
	}
	findings = append(findings, e.workers(ctx)...)
	findings = append(findings, e.deployment(ctx)...)
	findings = append(findings, e.blocked(ctx)...)
	return append(findings, e.hosts(ctx)...)
}

func (e examination) attributes(ctx context.Context) Finding {
	missing, err := e.subject.Attributes.Missing(ctx)
	if err != nil {
		return unseen(checkAttributes, err)
	}
	names := strings.Join(missing, ", ")
	switch {
	case len(missing) == 0:
		return fine(checkAttributes, "registered")
	case !e.fix:
		return Finding{
			Check: checkAttributes, Level: Warning, Fixable: true,
			Message:  fmt.Sprintf("the namespace lacks %s, so runs cannot be filtered by them", names),
			NextStep: "run `tutti doctor --fix`, or start a worker, which registers them",
		}
	}
	if err := e.subject.Attributes.Register(ctx); err != nil {
		return Finding{
			Check: checkAttributes, Level: Warning, Fixable: true,
			Message:  fmt.Sprintf("%s could not be registered: %s; runs start without them", names, line(err)),
			NextStep: "let somebody who may run `temporal operator search-attribute create --type Keyword --name …` for each",
		}
	}
	f := fine(checkAttributes, "registered %s now", names)
	f.Fixable, f.Fixed = true, true
	return f
}

// unseen is what a server that answers otherwise does not show. Not being
// permitted to look is no problem of tutti's; anything else is.
func unseen(check string, err error) Finding {
	f := trouble(check, fmt.Errorf("could not be looked at: %w", err), "run `tutti doctor` again; if it stays so, see the Temporal server's log")
	if errors.Is(err, ErrNotPermitted) {
		f.Level, f.Cause, f.NextStep = Advice, "", "nothing, or ask whoever runs Temporal for the right to look"
	}
	return f
}
