package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/tutti-dev/tutti/internal/plan"
)

// readFile reads a file that goes with a request.
func (s *submission) readFile(path string) (plan.Attachment, error) {
	place := path
	if !filepath.IsAbs(place) {
		place = filepath.Join(s.process.WorkDir, place)
	}
	f, err := os.Open(place)
	if err != nil {
		return plan.Attachment{}, unreadable(path, err)
	}
	defer func() { _ = f.Close() }()
	return readText(path, f)
}

// readStdin reads standard input to its end.
func (s *submission) readStdin() (plan.Attachment, error) {
	return readText("stdin", s.process.Stdin)
}

// readText reads at most one byte more than a text may have, so that a too long
// one is refused by its size and not cut.
func readText(name string, r io.Reader) (plan.Attachment, error) {
	raw, err := io.ReadAll(io.LimitReader(r, plan.MaxText+1))
	if err != nil {
		return plan.Attachment{}, unreadable(name, err)
	}
	return plan.Attachment{Name: filepath.Base(name), Text: string(raw)}, nil
}

func unreadable(path string, err error) error {
	reason := "cannot be read"
	switch {
	case errors.Is(err, fs.ErrNotExist):
		reason = "does not exist"
	case errors.Is(err, fs.ErrPermission):
		reason = "may not be read"
	}
	return &failure{code: ExitUsage, message: fmt.Sprintf("file %s %s", path, reason), next: "name a text file with -f", err: err}
}
