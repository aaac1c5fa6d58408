package testenv

import (
	"fmt"
	"strings"
	"testing"
)

// SeenKey is the name under which [Seen] records: `go test -json` reports it as an attribute of the
// test, and the certificate shows it.
const SeenKey = "seen"

// Seen records in a few words what a test saw: numbers, statuses, whatever a reader of the
// certificate should be able to check. It belongs after the requirements, and is computed from what
// they looked at. An attribute is one line.
func Seen(t testing.TB, format string, args ...any) {
	t.Helper()
	t.Attr(SeenKey, strings.Join(strings.Fields(fmt.Sprintf(format, args...)), " "))
}
