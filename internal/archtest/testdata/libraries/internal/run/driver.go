package run

import (
	_ "io" // [want]
	_ "strings"
	_ "time"

	_ "github.com/google/uuid" // [want] not the standard library
	_ "github.com/tutti-dev/tutti/internal/content"
)
