package app

import (
	"os/exec"
	"runtime"
	"syscall"
)

// ownGroup puts a child into its own process group, and has the kernel end it
// when this process dies, however it dies.
func ownGroup() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGTERM}
}

// startTied starts the process and closes exited when it has ended. The kernel
// ties a child to the thread that started it, so one thread stays for it.
func startTied(cmd *exec.Cmd, exited chan<- struct{}) error {
	started := make(chan error, 1)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := cmd.Start()
		started <- err
		if err == nil {
			_ = cmd.Wait() // How it ended is told from its output.
		}
		close(exited)
	}()
	return <-started
}
