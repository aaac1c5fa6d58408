package testenv

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"regexp"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// victimMode makes this test binary start servers as a test process does, say where they are, and
// wait to be killed.
const victimMode = "TESTENV_VICTIM"

func TestMain(m *testing.M) {
	switch os.Getenv(victimMode) {
	case "":
		m.Run()
	case "servers":
		reportServers()
		select {}
	case "crash":
		reportServers()
		panic("the victim crashes, as its test wants")
	case "no-cli":
		_, err := newDevServer("")
		fmt.Fprintln(os.Stdout, "failed:", err)
	}
}

func reportServers() {
	postgres, err := sharedCluster()
	if err != nil {
		fmt.Fprintln(os.Stdout, "failed:", err)
		return
	}
	temporal, err := sharedTemporal()
	if err != nil {
		fmt.Fprintln(os.Stdout, "failed:", err)
		return
	}
	fmt.Fprintf(os.Stdout, "postgres %s\ntemporal %s\n", postgres.url("postgres"), temporal.address())
}

func TestServersEndWithTheirTestProcess(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]struct {
		mode   string
		signal syscall.Signal
	}{
		"killed":   {"servers", syscall.SIGKILL},
		"panicked": {"crash", 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			folder := t.TempDir()
			require.NoError(t, os.Chmod(folder, 0o711), "the user postgres must reach its folder")
			victim := startVictim(t, Root(t), end.mode, "TMPDIR="+reachable(t, folder))
			postgres := victim.WaitForLine(regexp.MustCompile(`^postgres (postgres://\S+)$`), time.Minute)
			temporal := victim.WaitForLine(regexp.MustCompile(`^temporal (\S+)$`), time.Minute)
			address, err := url.Parse(postgres[1])
			require.NoError(t, err)
			if end.signal != 0 {
				victim.Signal(end.signal)
			}
			require.NotZero(t, victim.Wait(time.Minute))

			for _, server := range []string{address.Host, temporal[1]} {
				Eventually(t, 30*time.Second, server+" is gone", func() error {
					conn, err := net.Dial("tcp", server)
					if err == nil {
						return errors.Join(errors.New("it still listens"), conn.Close())
					}
					return nil
				})
			}
			Eventually(t, 30*time.Second, "the servers' folders are gone", func() error {
				left, err := os.ReadDir(folder)
				if err == nil && len(left) > 0 {
					err = fmt.Errorf("%d are left, %s first", len(left), left[0].Name())
				}
				return err
			})
		})
	}
}

func TestMissingCLIIsNamedWithTheNextStep(t *testing.T) {
	t.Parallel()
	empty := t.TempDir()
	require.NoError(t, os.WriteFile(empty+"/go.mod", nil, 0o600))
	victim := startVictim(t, empty, "no-cli", "PATH="+empty)
	victim.WaitForLine(regexp.MustCompile(`^failed: no temporal CLI found .*; run: make tools$`), time.Minute)
	require.Zero(t, victim.Wait(time.Minute))
}

func startVictim(t *testing.T, dir, mode string, env ...string) *Process {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	return StartProcess(t, ProcessOptions{
		Path: self, Dir: dir, Env: append(env, victimMode+"="+mode),
	})
}

// reachable opens the way to the folder for other users: the testing package makes its folders for
// the tests' own user only, and as root Postgres runs as another.
func reachable(t *testing.T, folder string) string {
	t.Helper()
	require.NoError(t, os.Chmod(folder+"/..", 0o711))
	return folder
}
