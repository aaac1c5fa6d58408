//go:build !linux

package app

import (
	"os/exec"
	"syscall"
)

// ownGroup puts a child into its own process group.
func ownGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// startTied starts the process and closes exited when it has ended.
func startTied(cmd *exec.Cmd, exited chan<- struct{}) error {
	if err := cmd.Start(); err != nil {
		return err
	}
	go func() {
		_ = cmd.Wait() // How it ended is told from its output.
		close(exited)
	}()
	return nil
}
