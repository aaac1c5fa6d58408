package testenv

import (
	"regexp"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const soon = 30 * time.Second

func shell(t *testing.T, script string, env ...string) *Process {
	t.Helper()
	return StartProcess(t, ProcessOptions{Path: "/bin/sh", Args: []string{"-c", script}, Env: env})
}

func TestProcessSaysWhatItWroteAndHowItEnded(t *testing.T) {
	t.Parallel()
	p := shell(t, `echo "port $PORT"; echo trouble >&2; exit 3`, "PORT=7233")

	require.Equal(t, []string{"port 7233", "7233"}, p.WaitForLine(regexp.MustCompile(`^port (\d+)$`), soon))
	require.Equal(t, 3, p.Wait(soon))
	require.Equal(t, "port 7233\n", p.Stdout())
	require.Equal(t, "trouble\n", p.Stderr())
	require.Contains(t, p.Output(), "trouble")
}

func TestProcessStopsInOrder(t *testing.T) {
	t.Parallel()
	p := shell(t, `trap 'echo bye; exit 0' TERM; echo ready; while :; do sleep 0.05; done`)
	p.WaitForLine(regexp.MustCompile(`^ready$`), soon)

	require.Zero(t, p.Stop())
	require.Contains(t, p.Stdout(), "bye")
}

func TestKill9LeavesNoTimeForAnything(t *testing.T) {
	t.Parallel()
	p := shell(t, `trap 'echo bye' TERM EXIT; echo ready; while :; do sleep 0.05; done`)
	p.WaitForLine(regexp.MustCompile(`^ready$`), soon)

	p.Kill9()
	require.NotContains(t, p.Stdout(), "bye")
	require.ErrorIs(t, syscall.Kill(p.PID(), 0), syscall.ESRCH)
	p.Signal(syscall.SIGTERM) // to nobody, and without harm
}

func TestProcessSeesOnlyWhatItIsGiven(t *testing.T) {
	t.Parallel()
	p, code := Run(t, soon, ProcessOptions{
		Path: "/bin/sh", Args: []string{"-c", `cat; env | sed 's/=.*//' | sort | tr '\n' ' '`},
		Env: []string{"GIVEN=yes"}, Stdin: "input\n",
	})
	require.Zero(t, code)
	require.Regexp(t, `^input\nGIVEN HOME (OLDPWD )?PATH PWD (SHLVL )?TMPDIR (_ )?$`, p.Stdout())
}

func TestProcessAndWhatItStartedEndWithTheTest(t *testing.T) {
	t.Parallel()
	var parent, child *Process
	t.Run("owner", func(t *testing.T) {
		parent = shell(t, `sleep 1000 & echo "child $!"; wait`)
		parent.WaitForLine(regexp.MustCompile(`^child \d+$`), soon)
		child = shell(t, `exec sleep 1000`)
	})
	for _, p := range []*Process{parent, child} {
		Eventually(t, soon, "the group is gone", func() error { return groupGone(p.PID()) })
	}
}

func TestWaitForLineLooksAtCompleteLinesOnly(t *testing.T) {
	t.Parallel()
	output := newOutput()
	pattern := regexp.MustCompile(`^address (\S+)$`)

	_, _ = output.Write([]byte("address 127.0.0.1:7"))
	match, changed := output.find(pattern)
	require.Nil(t, match)

	_, _ = output.Write([]byte("233\nmore"))
	<-changed
	match, _ = output.find(pattern)
	require.Equal(t, []string{"address 127.0.0.1:7233", "127.0.0.1:7233"}, match)
}
