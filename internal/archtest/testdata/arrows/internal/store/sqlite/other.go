package sqlite

import (
	_ "github.com/tutti-dev/tutti/internal/store"
	_ "github.com/tutti-dev/tutti/internal/store/postgres" // [want] adapters do not know each other
)
