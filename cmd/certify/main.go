// Command certify runs the project's proofs and prints what they showed: `make certify`.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/tutti-dev/tutti/internal/certificate"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := certificate.Main(ctx, certificate.Process{
		Args: os.Args[1:], Stdout: os.Stdout, Stderr: os.Stderr, Dir: ".", Width: certificate.Width(os.Stdout),
	})
	stop()
	os.Exit(code)
}
