package cli

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/app"
	"github.com/tutti-dev/tutti/internal/run"
)

const canary = "sk-canary-0123456789"

// modelAPI lists models to whoever has the canary for a key, and says that an
// account of another key has no money.
func modelAPI(t *testing.T) string {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("GET /v1/models", func(w http.ResponseWriter, r *http.Request) {
		switch r.Header.Get("Authorization") {
		case "Bearer " + canary:
			_, _ = io.WriteString(w, `{"object":"list","data":[]}`)
		case "Bearer poor":
			w.WriteHeader(http.StatusPaymentRequired)
			_, _ = io.WriteString(w, `{"error":{"message":"pay `+canary+`","code":"insufficient_quota"}}`)
		default:
			w.WriteHeader(http.StatusUnauthorized)
			_, _ = io.WriteString(w, `{"error":{"message":"who is `+r.Header.Get("Authorization")+`","code":"invalid_api_key"}}`)
		}
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server.URL
}

func withProviders(t *testing.T) *stage {
	t.Helper()
	url := modelAPI(t)
	s := alone(t).with("GOOD_KEY", canary).with("BAD_KEY", canary+"-bad").with("POOR_KEY", "poor")
	s.env["OPENAI_BASE_URL"] = "http://user:" + canary + "@h/v1?token=" + canary
	configuration := "providers:\n"
	for _, p := range []string{"good", "bad", "poor", "absent"} {
		configuration += "  " + p + ": {dialect: openai, baseURL: " + url + "/v1, apiKeyEnv: " + strings.ToUpper(p) + "_KEY}\n"
	}
	configuration += "  free: {dialect: openai, baseURL: " + url + "/page, concurrency: 3, callsPerSecond: 0.5}\n"
	s.write("tutti.yaml", configuration)
	return s
}

func TestProvidersAreListedWithoutTheirKeys(t *testing.T) {
	t.Parallel()
	s := withProviders(t)
	table := s.ok("provider", "list")
	require.NotContains(t, table, "canary")
	require.Regexp(t, `(?m)^good +openai +http://127\.0\.0\.1:\d+/v1 +present in GOOD_KEY +- +-$`, table)
	require.Regexp(t, `(?m)^absent +openai .* missing: ABSENT_KEY is not set +- +-$`, table)
	require.Regexp(t, `(?m)^free +openai .* not needed +3 per worker +0\.5 calls/s$`, table)
	require.Regexp(t, `(?m)^demo +demo +- +not needed`, table)
	require.Regexp(t, `(?m)^openai +openai +http://h/v1 +missing: OPENAI_API_KEY is not set`, table)

	encoded := s.ok("provider", "list", "--json")
	require.NotContains(t, encoded, "canary")
	var list struct{ Providers []app.ListedProvider }
	require.NoError(t, json.Unmarshal([]byte(encoded), &list))
	byName := map[string]app.ListedProvider{}
	for _, p := range list.Providers {
		byName[p.Name] = p
	}
	require.Equal(t, app.ListedKey{Needed: true, Present: true, Source: "GOOD_KEY"}, byName["good"].Key)
	require.Equal(t, app.ListedKey{Needed: true, Source: "ABSENT_KEY", Reason: "is not set"}, byName["absent"].Key)
	require.InDelta(t, 0.5, byName["free"].CallsPerSecond, 0)
	require.True(t, byName["free"].Configured)
	require.False(t, byName["anthropic"].Configured)

	require.Equal(t, []string{"absent", "anthropic", "bad", "demo", "free", "good", "ollama", "openai", "openrouter", "poor"},
		names(s.ok("provider", "list", "-o", "name")))
	s.refused(ExitUsage, "provider", "list", "--json", "-o", "name")
}

func TestAProviderIsCheckedAndWhatIsWrongIsSaid(t *testing.T) {
	t.Parallel()
	s := withProviders(t)
	require.Contains(t, s.ok("provider", "check", "good", "demo"), "answers and takes the key in GOOD_KEY")

	for name, want := range map[string]struct {
		code   int
		says   string
		advice string
	}{
		"bad":    {ExitNotCompleted, "PROVIDER_AUTH_ERROR: bad did not accept the credential", "put a key of provider bad that may use this model into BAD_KEY"},
		"poor":   {ExitNotCompleted, "PROVIDER_NO_CREDITS: poor reports that credit or quota is used up", "add credit to the account at provider poor whose key is in POOR_KEY"},
		"free":   {ExitNotCompleted, "free answers and lists no models below its base URL (status 404)", "check the base URL of provider free"},
		"absent": {ExitConfiguration, "PROVIDER_KEY_MISSING: no key for provider absent: ABSENT_KEY is not set", "set ABSENT_KEY in the environment of the worker"},
		"ollama": {ExitNotCompleted, "PROVIDER_SERVER_ERROR: ollama could not be reached", "check the base URL of provider ollama"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := s.tutti("provider", "check", name)
			require.Equal(t, want.code, got.code, got.out+got.errors)
			require.Contains(t, got.out, want.says)
			require.Contains(t, got.out, "→ "+want.advice)
			require.NotContains(t, got.out+got.errors, "canary")
		})
	}
}

func TestEveryProviderWithAKeyIsCheckedUnasked(t *testing.T) {
	t.Parallel()
	s := withProviders(t)
	got := s.tutti("provider", "check", "--json")
	require.Equal(t, ExitNotCompleted, got.code)
	require.NotContains(t, got.out, "canary")
	var list struct{ Checks []app.CheckedProvider }
	require.NoError(t, json.Unmarshal([]byte(got.out), &list))
	codes := map[string]run.Code{}
	for _, c := range list.Checks {
		codes[c.Name] = c.Code
		require.Equal(t, c.Code == "", c.OK)
		require.Equal(t, c.OK, c.Remediation == "", c.Name)
	}
	require.Equal(t, run.CodeAuth, codes["bad"])
	require.Empty(t, codes["good"])
	require.Len(t, codes, 4, "bad, free, good and poor; a key that is not there is no fault unasked")

	require.Contains(t, s.refused(ExitUsage, "provider", "check", "goood"), `unknown provider "goood"; see `+"`tutti provider list`")
	require.Contains(t, alone(t).refused(ExitConfiguration, "provider", "check"), "no provider has a key; see `tutti provider list`")
}
