package app_test

import (
	"context"
	"encoding/json"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/app"
	"github.com/tutti-dev/tutti/internal/config"
	"github.com/tutti-dev/tutti/internal/doctor"
)

// nowhere is an address of this machine at which nobody listens.
const nowhere = "127.0.0.1:1"

// surroundings are what a process of a test finds: folders of its own and
// variables, with a Temporal that nobody answers for unless it names one.
type surroundings struct {
	t         *testing.T
	home      string
	variables map[string]string
}

func newSurroundings(t *testing.T) *surroundings {
	t.Helper()
	return &surroundings{t: t, home: t.TempDir(), variables: map[string]string{
		"TEMPORAL_ADDRESS": nowhere, "OLLAMA_HOST": nowhere,
	}}
}

func (s *surroundings) write(name, text string, mode os.FileMode) string {
	s.t.Helper()
	path := filepath.Join(s.home, name)
	require.NoError(s.t, os.MkdirAll(filepath.Dir(path), 0o700))
	require.NoError(s.t, os.WriteFile(path, []byte(text), mode))
	return path
}

func (s *surroundings) dataDir() string { return filepath.Join(s.home, ".local", "share", "tutti") }

// open makes an app as a process that starts now would.
func (s *surroundings) open() *app.App {
	s.t.Helper()
	env := app.Env{Env: config.Env{
		Lookup:  func(name string) (string, bool) { v, ok := s.variables[name]; return v, ok },
		HomeDir: s.home, WorkDir: s.home, User: "ada",
	}}
	for name, value := range s.variables {
		env.Environ = append(env.Environ, name+"="+value)
	}
	c, err := config.Load(env.Env, config.Flags{})
	require.NoError(s.t, err)
	a := app.New(env, c)
	s.t.Cleanup(a.Close)
	return a
}

func (s *surroundings) examine(o doctor.Options) doctor.Report {
	s.t.Helper()
	report, err := s.open().Examine(s.t.Context(), noMCP{}, o)
	require.NoError(s.t, err)
	return report
}

// noMCP stands where the MCP server, which is above this package, is handed in.
type noMCP struct{}

func (noMCP) Probe(context.Context) (doctor.MCPOffer, error) { return doctor.MCPOffer{}, nil }
func (noMCP) Program() string                                { return "" }
func (noMCP) OnPath() string                                 { return "" }

// finding returns the one finding of a check.
func finding(t *testing.T, r doctor.Report, check string) doctor.Finding {
	t.Helper()
	found := findings(r, check)
	require.Len(t, found, 1, "findings of %s in %+v", check, r.Findings)
	return found[0]
}

func findings(r doctor.Report, check string) []doctor.Finding {
	var found []doctor.Finding
	for _, f := range r.Findings {
		if f.Check == check {
			found = append(found, f)
		}
	}
	return found
}

// On a machine that has never seen tutti everything is looked at, and nothing is
// left behind.
func TestExamineLeavesNothingBehind(t *testing.T) {
	t.Parallel()
	for _, store := range []string{"filesystem", "sqlite", "postgres"} {
		t.Run(store, func(t *testing.T) {
			t.Parallel()
			s := newSurroundings(t)
			s.variables["TUTTI_STORE"] = store
			report := s.examine(doctor.Options{})
			require.Equal(t, doctor.Unreachable, report.Outcome())
			require.Equal(t, doctor.Advice, finding(t, report, "data directory").Level)
			require.Contains(t, finding(t, report, "store").Message, store)
			entries, err := os.ReadDir(s.home)
			require.NoError(t, err)
			require.Empty(t, entries)
		})
	}
}

func TestExamineMakesTheDataDirectory(t *testing.T) {
	t.Parallel()
	s := newSurroundings(t)
	require.True(t, finding(t, s.examine(doctor.Options{Fix: true}), "data directory").Fixed)
	info, err := os.Stat(s.dataDir())
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o700), info.Mode().Perm())
	require.Equal(t, doctor.OK, finding(t, s.examine(doctor.Options{}), "data directory").Level)
}

func TestExamineFindsAFileInPlaceOfTheDataDirectory(t *testing.T) {
	t.Parallel()
	s := newSurroundings(t)
	s.write(".local/share/tutti", "", 0o600)
	f := finding(t, s.examine(doctor.Options{Fix: true}), "data directory")
	require.Equal(t, doctor.Configuration, f.Cause)
	require.Contains(t, f.Message, "no directory")
}

func TestExamineShowsNoKey(t *testing.T) {
	t.Parallel()
	s := newSurroundings(t)
	const inVariable, inFile, inCommand = "sk-in-variable", "sk-in-file", "sk-in-command"
	s.variables["ANTHROPIC_API_KEY"] = inVariable
	s.write("good.key", inFile, 0o600)
	s.write("loose.key", inFile, 0o644)
	s.write("tutti.yaml", `providers:
  good: {dialect: openai, baseURL: "https://good.example/v1", keyFile: good.key}
  loose: {dialect: openai, baseURL: "https://loose.example/v1", keyFile: loose.key}
  asked: {dialect: openai, baseURL: "https://asked.example/v1", keyCommand: "echo `+inCommand+`"}
  gone: {dialect: openai, baseURL: "https://gone.example/v1", apiKeyEnv: GONE_KEY}
`, 0o600)
	report := s.examine(doctor.Options{})
	for name, want := range map[string]struct {
		level   doctor.Level
		message string
	}{
		"anthropic": {doctor.OK, "key present in ANTHROPIC_API_KEY"},
		"openai":    {doctor.Advice, "OPENAI_API_KEY is not set"},
		"good":      {doctor.OK, "key present in the key file " + filepath.Join(s.home, "good.key")},
		"loose":     {doctor.Warning, "can be used by others (mode 0644)"},
		"asked":     {doctor.OK, "key present in the key command"},
		"gone":      {doctor.Warning, "GONE_KEY is not set"},
		"ollama":    {doctor.Advice, "nothing answers at " + nowhere},
		"demo":      {doctor.OK, "needs no key"},
	} {
		f := finding(t, report, "provider "+name)
		require.Equal(t, want.level, f.Level, "%+v", f)
		require.Contains(t, f.Message, want.message)
	}
	all, err := json.Marshal(report)
	require.NoError(t, err)
	for _, key := range []string{inVariable, inFile, inCommand} {
		require.NotContains(t, string(all), key)
	}
}

func TestExamineReachesALocalProvider(t *testing.T) {
	t.Parallel()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = listener.Close() })
	s := newSurroundings(t)
	s.variables["OLLAMA_HOST"] = listener.Addr().String()
	s.variables["TUTTI_MODEL"] = "ollama/llama"
	report := s.examine(doctor.Options{})
	require.Equal(t, "needs no key, answers at "+listener.Addr().String(), finding(t, report, "provider ollama").Message)
	require.Equal(t, "llama of provider ollama", finding(t, report, "default model").Message)
}

func TestExamineNamesRefusedDefinitions(t *testing.T) {
	t.Parallel()
	s := newSurroundings(t)
	s.write(".tutti/specialists/odd.md", "---\nname: odd\nreasoning: loud\n---\nBe odd.\n", 0o600)
	s.write(".tutti/chains/lost.yaml", "name: lost\ntasks:\n  - specialist: nobody-knows\n", 0o600)
	s.write(".tutti/chains/round.yaml", "name: round\ntusks: []\n", 0o600)
	report := s.examine(doctor.Options{})
	texts := map[string]string{}
	for _, check := range []string{"specialists", "chains"} {
		for _, f := range findings(report, check)[1:] {
			require.Equal(t, doctor.Warning, f.Level)
			texts[check] += f.Message + "\n"
		}
		require.Contains(t, findings(report, check)[0].Message, "built in")
	}
	require.Contains(t, texts["specialists"], ".tutti/specialists/odd.md:3")
	require.Contains(t, texts["chains"], ".tutti/chains/lost.yaml:3")
	require.Contains(t, texts["chains"], "nobody-knows")
	require.Contains(t, texts["chains"], ".tutti/chains/round.yaml:2")
}

func TestExamineGoesOnWithARefusedConfiguration(t *testing.T) {
	t.Parallel()
	s := newSurroundings(t)
	s.write("tutti.yaml", "providers:\n  mine: {baseURL: \"https://mine.example\"}\n", 0o600)
	report := s.examine(doctor.Options{})
	require.Equal(t, doctor.Refused, report.Outcome())
	require.Len(t, findings(report, "configuration"), 2)
	require.Contains(t, findings(report, "configuration")[1].Message, "no dialect")
	require.NotEmpty(t, findings(report, "chains"))
}

func TestExamineReadsTemporalsOwnConfiguration(t *testing.T) {
	t.Parallel()
	s := newSurroundings(t)
	s.variables["TEMPORAL_CONFIG_FILE"] = s.write("temporal.toml", "this is no TOML", 0o600)
	f := finding(t, s.examine(doctor.Options{}), "temporal")
	require.Equal(t, doctor.Configuration, f.Cause)
	require.Contains(t, f.NextStep, "TEMPORAL_*")
}

func TestExamineSaysWhyTemporalIsOutOfReach(t *testing.T) {
	t.Parallel()
	s := newSurroundings(t)
	f := finding(t, s.examine(doctor.Options{}), "temporal")
	require.Equal(t, doctor.Platform, f.Cause)
	require.True(t, strings.HasPrefix(f.Message, "temporal cannot be reached at "+nowhere+": dial tcp"), f.Message)
	require.NotContains(t, f.Message, "desc =")
}
