package deploy

import (
	"fmt"
	"os"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/stretchr/testify/require"
)

// compose is what these tests look at in compose.yaml.
type compose struct {
	Services map[string]struct {
		Image       string
		Ports       []string
		Environment map[string]string
		DependsOn   map[string]struct{ Condition string } `yaml:"depends_on"`
		Healthcheck *struct{ Test []string }
	}
}

func readCompose(t *testing.T) compose {
	t.Helper()
	var file compose
	readYAML(t, "compose.yaml", &file)
	require.NotEmpty(t, file.Services)
	return file
}

func TestComposePublishesOnLoopbackOnly(t *testing.T) {
	t.Parallel()
	published := 0
	for name, service := range readCompose(t).Services {
		require.NotEmptyf(t, service.Image, "service %s has no image", name)
		for _, port := range service.Ports {
			require.Regexpf(t, `^127\.0\.0\.1:\d+:\d+$`, port, "service %s", name)
			published++
		}
	}
	require.NotZero(t, published)
}

func TestComposeWaitsForWhatIsHealthy(t *testing.T) {
	t.Parallel()
	services := readCompose(t).Services
	waits := 0
	for name, service := range services {
		for other, dependency := range service.DependsOn {
			waits++
			require.Containsf(t, services, other, "%s depends on a service that is not there", name)
			if dependency.Condition == "service_healthy" {
				require.NotNilf(t, services[other].Healthcheck, "%s waits for %s, which has no health check", name, other)
			}
		}
	}
	require.NotZero(t, waits)
}

func TestWorkerAndMigrationUseOneDatabase(t *testing.T) {
	t.Parallel()
	services := readCompose(t).Services
	worker, migrate := services["worker"].Environment, services["migrate"].Environment
	for _, name := range []string{"DATABASE_URL", "TUTTI_STORE", "TEMPORAL_ADDRESS"} {
		require.NotEmpty(t, worker[name], name)
		require.Equal(t, migrate[name], worker[name], name)
	}
}

// The server of compose.yaml is set like the one that everything was measured and tested with.
func TestServersHaveTheSameDynamicConfig(t *testing.T) {
	t.Parallel()
	config, err := DevServer()
	require.NoError(t, err)
	var file map[string][]struct{ Value any }
	readYAML(t, "temporal-dynamicconfig.yaml", &file)

	require.Len(t, file, len(config.DynamicConfig))
	for key, value := range config.DynamicConfig {
		require.Lenf(t, file[key], 1, "%s", key)
		require.Equal(t, fmt.Sprint(value), fmt.Sprint(file[key][0].Value), key)
	}
}

func readYAML(t *testing.T, name string, into any) {
	t.Helper()
	content, err := os.ReadFile(name)
	require.NoError(t, err)
	require.NoError(t, yaml.Unmarshal(content, into))
}
