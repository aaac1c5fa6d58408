package run

import (
	_ "github.com/tutti-dev/tutti/internal/content"
	_ "github.com/tutti-dev/tutti/internal/history" // [want] the domain imports what stands above it
)
