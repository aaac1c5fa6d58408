package workflows

import (
	_ "encoding/json" // [want]
	_ "fmt"
	_ "math/rand/v2" // [want]
	_ "net/http"     // [want]
	_ "os"           // [want]
	_ "time"

	_ "github.com/jackc/pgx/v5/pgxpool" // [want] [want] not its place, and not in workflows
	_ "go.temporal.io/sdk/workflow"
)
