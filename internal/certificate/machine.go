package certificate

import (
	"context"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// Origin says of what and where a certificate was made.
type Origin struct {
	Commit string `json:"commit"`
	// Modified says that the sources were not those of the commit.
	Modified bool      `json:"modified"`
	Go       string    `json:"go"`
	Temporal string    `json:"temporal"`
	OS       string    `json:"os"`
	Cores    int       `json:"cores"`
	Time     time.Time `json:"time"`
}

// unknown stands for what could not be had.
const unknown = "unknown"

// origin asks git, go and the Temporal CLI. What one of them does not say is unknown, and no reason
// to prove nothing.
func origin(ctx context.Context, dir string, now time.Time) Origin {
	// Git looks into a clone of another user only where it is told so.
	git := func(args ...string) (string, bool) {
		return say(ctx, dir, "git", append([]string{"-c", "safe.directory=*"}, args...)...)
	}
	o := Origin{Commit: unknown, OS: runtime.GOOS + "/" + runtime.GOARCH, Cores: runtime.NumCPU(), Time: now.UTC().Truncate(time.Second)}
	if commit, ok := git("rev-parse", "HEAD"); ok {
		changes, ok := git("status", "--porcelain")
		o.Commit, o.Modified = commit, !ok || changes != ""
	}
	o.Go, _ = say(ctx, dir, "go", "env", "GOVERSION")
	o.Temporal, _ = say(ctx, dir, temporalCLI(dir), "--version")
	return o
}

// temporalCLI is the one that the tests start: that of the PATH, else the one that was built here.
func temporalCLI(dir string) string {
	if path, err := exec.LookPath("temporal"); err == nil {
		return path
	}
	return filepath.Join(dir, ".bin", "temporal")
}

// say returns what a program prints, in one line.
func say(ctx context.Context, dir, program string, args ...string) (string, bool) {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir = dir
	output, err := cmd.Output()
	if err != nil {
		return unknown, false
	}
	return strings.Join(strings.Fields(string(output)), " "), true
}
