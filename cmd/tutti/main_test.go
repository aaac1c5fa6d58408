package main_test

import (
	"os"
	"strconv"
	"testing"

	"go.temporal.io/sdk/worker"

	"github.com/tutti-dev/tutti/internal/cli"
)

// cachedRuns makes a process of this test binary the command itself, with so many
// runs in the SDK's sticky cache. The cache's size is a setting of the whole process
// and has 10,000 places, which no test can fill.
const cachedRuns = "TUTTI_TEST_CACHED_RUNS"

func TestMain(m *testing.M) {
	size, asked := os.LookupEnv(cachedRuns)
	if !asked {
		m.Run()
		return
	}
	n, err := strconv.Atoi(size)
	if err != nil {
		panic(err)
	}
	worker.SetStickyWorkflowCacheSize(n)
	cli.Main(cli.OS())
}
