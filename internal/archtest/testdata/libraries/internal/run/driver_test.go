package run

import (
	_ "os"
	_ "testing"

	_ "github.com/stretchr/testify/require"
	_ "github.com/spf13/cobra" // [want] not in a test either
)
