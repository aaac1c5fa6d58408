package cli

import (
	_ "github.com/tutti-dev/tutti/internal/app"
	_ "github.com/tutti-dev/tutti/internal/store"
	_ "github.com/tutti-dev/tutti/internal/store/postgres" // [want] adapters are built in internal/app
	_ "github.com/tutti-dev/tutti/internal/testenv"        // [want] support for tests
	_ "github.com/tutti-dev/tutti/internal/unknown"        // [want] no place in the table
)
