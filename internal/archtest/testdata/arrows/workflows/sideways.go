package workflows

import (
	_ "github.com/tutti-dev/tutti/activities"
	_ "github.com/tutti-dev/tutti/internal/history"
	_ "github.com/tutti-dev/tutti/internal/provider" // [want] not among what workflows may import
)
