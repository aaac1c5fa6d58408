package testenv

import (
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"syscall"
)

// guardScript waits for a word or for the end of its input. The word `release` ends it; the end of
// the input without that word means that the test process is gone. Then the process group $1 (0 for
// none) gets the signal $2, ten seconds later SIGKILL. What is mounted on $3/mount is unmounted, and the folder $3
// is removed.
// It ignores what a terminal sends, so that Ctrl-C does not end it before its work is done.
const guardScript = `
trap '' INT TERM HUP QUIT
read -r word
if [ "$word" != release ] && [ "$1" != 0 ]; then
  kill -s "$2" -- "-$1" 2>/dev/null
  tries=100
  while [ "$tries" -gt 0 ] && kill -s 0 -- "-$1" 2>/dev/null; do
    tries=$((tries - 1))
    sleep 0.1
  done
  kill -s KILL -- "-$1" 2>/dev/null
fi
if [ -n "$3" ] && [ -d "$3/mount" ]; then umount -l -- "$3/mount"; fi
if [ -n "$3" ]; then rm -rf -- "$3"; fi
`

// guard outlives the test process just long enough to clean up behind it.
type guard struct {
	input io.WriteCloser
	cmd   *exec.Cmd
}

// startGuard watches over a process group (0 for none) and a folder (empty for none).
func startGuard(group int, signal, folder string) (*guard, error) {
	cmd := exec.Command("/bin/sh", "-c", guardScript, "guard", strconv.Itoa(group), signal, folder)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Dir = "/"
	input, err := cmd.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("making the guard's pipe: %w", err)
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("starting a guard: %w", err)
	}
	return &guard{input: input, cmd: cmd}, nil
}

// release ends the guard after its process has ended in order; the folder is removed all the same.
func (g *guard) release() error {
	if _, err := io.WriteString(g.input, "release\n"); err != nil {
		return fmt.Errorf("releasing a guard: %w", err)
	}
	if err := g.input.Close(); err != nil {
		return fmt.Errorf("releasing a guard: %w", err)
	}
	if err := g.cmd.Wait(); err != nil {
		return fmt.Errorf("waiting for a guard: %w", err)
	}
	return nil
}
