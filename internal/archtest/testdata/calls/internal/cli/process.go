package cli

import "os"

func environment() []string { return os.Environ() }
