package doctor_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/config"
	"github.com/tutti-dev/tutti/internal/doctor"
	"github.com/tutti-dev/tutti/internal/provider"
	"github.com/tutti-dev/tutti/internal/runs"
	"github.com/tutti-dev/tutti/internal/store"
)

// now is when every examination of these tests takes place.
func now() time.Time { return time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC) }

type fakeDir struct {
	look, makes error
	made        int
}

func (d *fakeDir) Path() string { return "/data" }
func (d *fakeDir) Look() error  { return d.look }
func (d *fakeDir) Make() error  { d.made++; return d.makes }

type fakeStore struct {
	fallbacks []doctor.Fallback
	unread    error
	choice    doctor.StoreChoice
	none      error
	cleared   [][]string
	stuck     error
}

func (s *fakeStore) Fallbacks(context.Context) ([]doctor.Fallback, error) {
	return s.fallbacks, s.unread
}
func (s *fakeStore) Choice(context.Context) (doctor.StoreChoice, error) { return s.choice, s.none }
func (s *fakeStore) Clear(replaced ...string) error {
	s.cleared = append(s.cleared, replaced)
	return s.stuck
}

type fakeServer struct {
	server      doctor.Server
	silent      error
	missing     []string
	hidden      error
	refused     error
	registered  int
	pollers     doctor.Pollers
	pollersGone error
	blocked     []string
	more        bool
	runsGone    error
	awaiting    []doctor.Awaiting
	seen        []string
	hostsGone   error
	routing     runs.Routing
	routingGone error
	pinned      []doctor.PinnedRun
	morePinned  bool
	pinnedGone  error
}

func (s *fakeServer) Server(context.Context) (doctor.Server, error) { return s.server, s.silent }
func (s *fakeServer) Missing(context.Context) ([]string, error)     { return s.missing, s.hidden }
func (s *fakeServer) Register(context.Context) error                { s.registered++; return s.refused }
func (s *fakeServer) Name() string                                  { return "tutti" }
func (s *fakeServer) Pollers(context.Context) (doctor.Pollers, error) {
	return s.pollers, s.pollersGone
}

func (s *fakeServer) Blocked(_ context.Context, limit int) ([]string, bool, error) {
	return s.blocked[:min(limit, len(s.blocked))], s.more, s.runsGone
}

func (s *fakeServer) Awaiting(context.Context, int) ([]doctor.Awaiting, error) {
	return s.awaiting, s.hostsGone
}

func (s *fakeServer) Routing(context.Context) (runs.Routing, error) { return s.routing, s.routingGone }

func (s *fakeServer) Pinned(context.Context, int) ([]doctor.PinnedRun, bool, error) {
	return s.pinned, s.morePinned, s.pinnedGone
}
func (s *fakeServer) MakeCurrentCommand(v runs.Version) string { return "make current " + v.Build }

func (s *fakeServer) Seen(context.Context) ([]string, error) { return s.seen, nil }

type fakeMCP struct {
	offer  doctor.MCPOffer
	fails  error
	onPath string
}

func (m *fakeMCP) Probe(context.Context) (doctor.MCPOffer, error) { return m.offer, m.fails }
func (m *fakeMCP) Program() string                                { return "/bin/tutti" }
func (m *fakeMCP) OnPath() string                                 { return m.onPath }

type fakeProviders struct {
	chosen provider.Selection
	none   error
	known  []doctor.Provider
}

func (p *fakeProviders) Default(context.Context) (provider.Selection, error) { return p.chosen, p.none }
func (p *fakeProviders) Known(context.Context) []doctor.Provider             { return p.known }

type fakeLibrary struct {
	found doctor.Definitions
	err   error
}

func (l *fakeLibrary) Load() (doctor.Definitions, error) { return l.found, l.err }

// patient is a subject whose parts a test makes ill.
type patient struct {
	subject     doctor.Subject
	dir         *fakeDir
	store       *fakeStore
	server      *fakeServer
	mcp         *fakeMCP
	providers   *fakeProviders
	specialists *fakeLibrary
	chains      *fakeLibrary
}

// healthy returns a subject of which nothing is to be said.
func healthy() *patient {
	present := []doctor.Poller{{Identity: "1@host", LastSeen: now().Add(-time.Minute)}}
	p := &patient{
		dir: &fakeDir{},
		store: &fakeStore{choice: doctor.StoreChoice{
			Choice: store.Choice{Name: "sqlite", Asked: "sqlite"}, Source: "TUTTI_STORE", Place: "/data/tutti.db", Schema: 1,
		}},
		server: &fakeServer{
			server:  doctor.Server{Address: "localhost:7233", Namespace: "default", Version: "1.29.1"},
			pollers: doctor.Pollers{Workflows: present, Activities: present},
			seen:    []string{"cli"},
		},
		mcp: &fakeMCP{offer: doctor.MCPOffer{Protocol: "2026-07-28", Tools: 7, Prompts: 3, Took: 301 * time.Millisecond}, onPath: "/bin/tutti"},
		providers: &fakeProviders{
			chosen: provider.Selection{Provider: "demo", Model: "echo"},
			known:  []doctor.Provider{{Name: "demo"}},
		},
		specialists: &fakeLibrary{found: doctor.Definitions{Usable: 8, BuiltIn: 8}},
		chains:      &fakeLibrary{found: doctor.Definitions{Usable: 3, BuiltIn: 2}},
	}
	p.subject = doctor.Subject{
		Config:  config.Config{Mode: config.Solo, Tenant: "default", Principal: "ada"},
		DataDir: p.dir, Store: p.store, Temporal: p.server, Attributes: p.server, Queue: p.server, Runs: p.server, Deployments: p.server, Hosts: p.server, MCP: p.mcp,
		Providers: p.providers, Specialists: p.specialists, Chains: p.chains, Now: now(),
	}
	return p
}

// examine runs every check and holds every finding to the rules.
func (p *patient) examine(t *testing.T, o doctor.Options) doctor.Report {
	t.Helper()
	report, err := doctor.Examine(t.Context(), p.subject, o)
	require.NoError(t, err)
	for _, f := range report.Findings {
		require.NotEmpty(t, f.Check)
		require.NotEmpty(t, f.Message)
		require.NotContains(t, f.Message, "\n")
		require.Equal(t, f.Level == doctor.Problem, f.Cause != "", "a problem, and nothing else, has a cause: %+v", f)
		require.True(t, f.Level == doctor.OK || f.NextStep != "", "what is not ok has a next step: %+v", f)
		require.True(t, !f.Fixed || o.Fix, "nothing is fixed unasked: %+v", f)
	}
	return report
}

// of returns the findings of one check.
func of(r doctor.Report, check string) []doctor.Finding {
	var found []doctor.Finding
	for _, f := range r.Findings {
		if f.Check == check {
			found = append(found, f)
		}
	}
	return found
}

// only returns the one finding of a check.
func only(t *testing.T, r doctor.Report, check string) doctor.Finding {
	t.Helper()
	found := of(r, check)
	require.Len(t, found, 1, "findings of %s in %+v", check, r.Findings)
	return found[0]
}
