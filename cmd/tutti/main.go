// Command tutti runs a request through a chain of specialists as a durable
// Temporal workflow.
package main

import (
	"os"

	"github.com/tutti-dev/tutti/internal/cli"
)

func main() { os.Exit(cli.Main(cli.OS())) }
