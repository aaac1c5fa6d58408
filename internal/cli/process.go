package cli

import (
	"context"
	"io"
	"os"
	"os/signal"
	"os/user"
	"syscall"
	"time"

	"github.com/mattn/go-isatty"
)

// Process is the edge to the operating system.
type Process struct {
	Args           []string // without the program's name
	Environ        []string
	Lookup         func(name string) (string, bool)
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	// StderrIsTerminal allows lines that rewrite themselves.
	StderrIsTerminal bool
	WorkDir          string
	HomeDir          string
	User             string
	// Executable is this program's file, empty where that cannot be told.
	Executable string
	// Now is the clock; its location is the zone in which times are shown.
	Now func() time.Time
	// Interrupts returns a context that the first SIGINT or SIGTERM ends, and a
	// channel that is closed by the second.
	Interrupts func(parent context.Context) (ctx context.Context, again <-chan struct{}, stop context.CancelFunc)
}

// OS is the process that this program really is.
func OS() Process {
	p := Process{
		Args: os.Args[1:], Environ: os.Environ(), Lookup: os.LookupEnv,
		Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr,
		StderrIsTerminal: isTerminal(os.Stderr), Now: time.Now,
		Interrupts: interrupts,
	}
	// What cannot be found out stays empty, and who needs it says so.
	p.WorkDir, _ = os.Getwd()
	p.HomeDir, _ = os.UserHomeDir()
	p.Executable, _ = os.Executable()
	if u, err := user.Current(); err == nil {
		p.User = u.Username
	}
	return p
}

func interrupts(parent context.Context) (context.Context, <-chan struct{}, context.CancelFunc) {
	ctx, cancel := context.WithCancel(parent)
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	again := make(chan struct{})
	go func() {
		<-signals
		cancel()
		<-signals
		close(again)
	}()
	return ctx, again, func() {
		signal.Stop(signals)
		cancel()
	}
}

func isTerminal(f *os.File) bool { return isatty.IsTerminal(f.Fd()) }
