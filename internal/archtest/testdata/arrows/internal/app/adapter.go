package app

import (
	_ "github.com/tutti-dev/tutti/internal/cli" // [want] app does not know who calls it
	_ "github.com/tutti-dev/tutti/internal/provider/openai"
	_ "github.com/tutti-dev/tutti/internal/store/postgres"
)
