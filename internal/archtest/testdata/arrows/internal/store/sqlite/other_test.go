package sqlite

import (
	_ "github.com/tutti-dev/tutti/internal/store/postgres" // [want] in tests neither
	_ "github.com/tutti-dev/tutti/internal/store/sqlite"
	_ "github.com/tutti-dev/tutti/internal/store/storetest"
	_ "github.com/tutti-dev/tutti/internal/testenv"
)
