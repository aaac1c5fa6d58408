package certificate

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// event is one line of `go test -json`, as far as it is read here; `go doc test2json` documents it.
type event struct {
	Action      string
	Package     string
	ImportPath  string // of a build's output
	Test        string
	Elapsed     float64
	Output      string
	Key, Value  string // of an attribute
	FailedBuild string
}

// readEvents hands every event to take. A line that is no event, such as a message of the go command
// itself, is output of the package.
func readEvents(r io.Reader, pkg string, take func(event)) error {
	lines := bufio.NewReader(r)
	for {
		line, err := lines.ReadString('\n')
		if strings.TrimSpace(line) != "" {
			var e event
			if json.Unmarshal([]byte(line), &e) != nil || e.Action == "" {
				e = event{Action: "output", Package: pkg, Output: line}
			}
			take(e)
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("reading the tests' events: %w", err)
		}
	}
}

// top is the top-level test that an event belongs to.
func (e event) top() string {
	name, _, _ := strings.Cut(e.Test, "/")
	return name
}
