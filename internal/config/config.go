package config

import (
	"time"

	"github.com/tutti-dev/tutti/internal/run"
)

// Mode says for whom this installation is; it decides the default store and
// whether a tenant has to be named.
type Mode string

// The three modes.
const (
	Solo       Mode = "solo"       // one person, one machine
	Team       Mode = "team"       // several machines share a database
	Enterprise Mode = "enterprise" // as team, and no run starts without an explicit tenant
)

// Modes lists every mode.
func Modes() []Mode { return []Mode{Solo, Team, Enterprise} }

// Execution says who executes runs that a host starts over MCP.
type Execution string

// The ways of execution.
const (
	ExecutionAuto     Execution = "auto"     // sampling where the host offers it, else pickup
	ExecutionPickup   Execution = "pickup"   // the host picks prompts up and submits results
	ExecutionSampling Execution = "sampling" // the host is asked through MCP sampling
)

// Config is a whole configuration, every default filled in.
type Config struct {
	// File is the absolute path of the file that was read, "" for none.
	File string
	// UserDir is the user's configuration directory, "" for none.
	UserDir string

	Mode      Mode
	Tenant    string
	Principal string
	// Backend is "" where none is configured: the CLI then prepares inline, MCP
	// takes the host.
	Backend run.Backend
	Model   string
	// Models maps aliases to models.
	Models map[string]string
	// DataDir is absolute.
	DataDir string
	// Store is "" where none is configured: the mode then decides.
	Store       string
	DatabaseURL Secret
	TaskQueue   string
	// ProviderTimeout is the deadline of an attempt at providers that configure
	// none of their own.
	ProviderTimeout time.Duration
	// Providers holds only what is configured; see Provider for one by name.
	Providers  map[string]Provider
	Limits     Limits
	Budget     run.Budget
	Host       Host
	Deployment Deployment

	origins map[string]Origin
}

// Limits bound a run.
type Limits struct {
	// Park is how long a task may wait for a provider's quota; 0 means never.
	Park time.Duration
}

// Host is how runs treat the agent session that executes their tasks.
type Host struct {
	Execution Execution
	// StaleAfter is the waiting time from which readers call a run stale.
	StaleAfter time.Duration
	// ResultTimeout fails a task that waits longer; 0 means never.
	ResultTimeout time.Duration
}

// Deployment is the worker's place in Temporal's deployment versioning. Both
// are set or none is.
type Deployment struct {
	Name    string
	BuildID string
}

// IsSet says that versioning is configured.
func (d Deployment) IsSet() bool { return d.Name != "" }

func defaults(env Env) Config {
	principal := env.User
	if principal == "" {
		principal = "unknown"
	}
	return Config{
		UserDir: UserDir(env),
		Mode:    Solo, Tenant: "default", Principal: principal,
		DataDir:   env.xdg("XDG_DATA_HOME", ".local/share"),
		TaskQueue: "tutti", ProviderTimeout: 120 * time.Second,
		Models: map[string]string{}, Providers: map[string]Provider{},
		Host:    Host{Execution: ExecutionAuto, StaleAfter: 30 * time.Minute},
		origins: map[string]Origin{},
	}
}

// RequireTenant refuses to start a run for nobody: enterprise mode wants the
// tenant written down, because every key and every filter begins with it.
func (c Config) RequireTenant() error {
	if c.Mode != Enterprise || !c.Source("tenant").IsDefault() {
		return nil
	}
	return &Error{
		Message:  "enterprise mode starts no run without a tenant",
		NextStep: "give --tenant, set TUTTI_TENANT or write tenant: into " + FileName,
	}
}
