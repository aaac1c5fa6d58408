package fakeprovider

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// TB is what is needed of a *testing.T.
type TB interface {
	Helper()
	Cleanup(func())
	Fatalf(format string, args ...any)
	TempDir() string
}

// Start runs a server inside the test process until the test ends.
func Start(t TB, opts Options) *Client {
	t.Helper()
	server, err := Listen(opts)
	if err != nil {
		t.Fatalf("start the fake provider: %v", err)
	}
	t.Cleanup(func() { _ = server.Close() })
	client := server.Client()
	t.Cleanup(client.http.CloseIdleConnections)
	return client
}

const command = "github.com/tutti-dev/tutti/internal/provider/fakeprovider/cmd/fakeprovider"

// Launch builds the command and runs it as a process of its own until the test
// ends.
func Launch(t TB, opts Options) *Client {
	t.Helper()
	binary := filepath.Join(t.TempDir(), "fakeprovider")
	if out, err := exec.Command("go", "build", "-o", binary, command).CombinedOutput(); err != nil {
		t.Fatalf("build the fake provider: %v\n%s", err, out)
	}
	cmd := exec.Command(binary, opts.arguments()...)
	cmd.Stderr = os.Stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatalf("launch the fake provider: %v", err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatalf("launch the fake provider: %v", err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	line, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		t.Fatalf("launch the fake provider: it said nothing: %v", err)
	}
	client := Connect(strings.TrimSpace(line))
	t.Cleanup(client.http.CloseIdleConnections)
	return client
}

// arguments are the flags of the command for the options.
func (o Options) arguments() []string {
	return []string{
		"-addr", o.addr(), "-corpus", strings.Join(o.Corpus, ","), "-latency", o.Latency.String(),
		"-fail-first", strconv.Itoa(o.FailFirst), "-hang-max", o.hangMax().String(),
	}
}
