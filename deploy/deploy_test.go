package deploy_test

import (
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/goccy/go-yaml"
	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/testenv"
)

// service is what compose.yaml tells one container of the binary.
type service struct {
	Image       string
	Command     []string
	Environment map[string]string
	Healthcheck struct{ Test []string }
}

// ours returns the services that run the binary.
func ours(t *testing.T) map[string]service {
	t.Helper()
	content, err := os.ReadFile("compose.yaml")
	require.NoError(t, err)
	var file struct{ Services map[string]service }
	require.NoError(t, yaml.Unmarshal(content, &file))
	services := map[string]service{}
	for name, s := range file.Services {
		if s.Image == "tutti" {
			services[name] = s
		}
	}
	require.Len(t, services, 2, "the migration and the worker")
	return services
}

// variables returns a service's environment with what compose.yaml leaves to the machine replaced
// by the servers of this test.
func variables(t *testing.T, s service) []string {
	t.Helper()
	here := map[string]string{
		"DATABASE_URL":       testenv.Postgres(t),
		"TEMPORAL_ADDRESS":   testenv.Temporal(t),
		"TEMPORAL_NAMESPACE": testenv.Namespace(t),
		"TUTTI_DATA_DIR":     t.TempDir(),
	}
	var env []string
	for name, value := range s.Environment {
		if replaced, ok := here[name]; ok {
			value = replaced
		}
		if strings.HasPrefix(value, "${") {
			value = ""
		}
		env = append(env, name+"="+value)
	}
	return env
}

func TestComposeCommandsAreTheBinarys(t *testing.T) {
	t.Parallel()
	binary := testenv.Binary(t)
	for name, s := range ours(t) {
		commands := [][]string{s.Command}
		if check := s.Healthcheck.Test; len(check) > 0 {
			require.Equal(t, []string{"CMD", "/usr/local/bin/tutti"}, check[:2])
			commands = append(commands, check[2:])
		}
		for _, command := range commands {
			p, code := testenv.Run(t, time.Minute, testenv.ProcessOptions{Path: binary, Args: append(command, "--help")})
			require.Zerof(t, code, "%s: %s", name, p.Output())
			require.Containsf(t, p.Stdout(), "tutti "+command[0], "%s: help of another command", name)
		}
	}
}

// TestComposeEnvironmentWorks migrates, starts a worker and checks its health, each as compose.yaml
// says: a variable that the binary does not know would leave it without database or server.
func TestComposeEnvironmentWorks(t *testing.T) {
	t.Parallel()
	binary := testenv.Binary(t)
	services := ours(t)
	env := variables(t, services["worker"])

	migrate, code := testenv.Run(t, time.Minute, testenv.ProcessOptions{
		Path: binary, Args: services["migrate"].Command, Env: env,
	})
	require.Zero(t, code, migrate.Output())
	require.Contains(t, migrate.Output(), "postgres")

	worker := testenv.StartProcess(t, testenv.ProcessOptions{
		Path: binary, Args: services["worker"].Command, Env: env,
	})
	healthy := regexp.MustCompile(`(?m)^ok +workers .*by 1 worker`)
	testenv.Eventually(t, time.Minute, "the worker is healthy", func() error {
		doctor, code := testenv.Run(t, time.Minute, testenv.ProcessOptions{
			Path: binary, Args: services["worker"].Healthcheck.Test[2:], Env: env,
		})
		if code != 0 || !healthy.MatchString(doctor.Output()) {
			return &unhealthy{doctor.Output() + worker.Output()}
		}
		require.Regexp(t, `(?m)^ok +store +postgres`, doctor.Output())
		return nil
	})
	require.Zero(t, worker.Stop(), worker.Output())
}

type unhealthy struct{ output string }

// Error quotes what doctor and worker said.
func (u *unhealthy) Error() string { return u.output }

func TestDockerfileRunsTheWorkerWithoutRights(t *testing.T) {
	t.Parallel()
	content, err := os.ReadFile("Dockerfile")
	require.NoError(t, err)
	_, image, found := strings.Cut(string(content), "FROM scratch")
	require.True(t, found, "the image holds nothing but what is copied")
	require.Regexp(t, `(?m)^USER [1-9]\d*:[1-9]\d*$`, image)
	require.Contains(t, image, `CMD ["worker"]`)
	require.Contains(t, string(content), "CGO_ENABLED=0", "without a C library the binary must be static")
}
