package filesystem

import (
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/tutti-dev/tutti/internal/ledger"
)

// name makes a file's name of any text. Plain words stand as they are, so that
// people find their runs; there are no upper-case letters among them, because
// some file systems do not tell these from lower-case ones.
func name(s string) string {
	const plain = "abcdefghijklmnopqrstuvwxyz0123456789-_."
	if s != "" && len(s) <= 80 && s[0] != '.' && strings.Trim(s, plain) == "" {
		return s
	}
	sum := sha256.Sum256([]byte(s))
	return "~" + hex.EncodeToString(sum[:])
}

func (s *Store) tenantsDir() string { return filepath.Join(s.dir, "mirror", "runs") }

func (s *Store) runsDir(tenant string) string { return filepath.Join(s.tenantsDir(), name(tenant)) }

func (s *Store) runFile(tenant, runID string) string {
	return filepath.Join(s.runsDir(tenant), name(runID)+".json")
}

func (s *Store) watermarkFile() string { return filepath.Join(s.dir, "mirror", "watermark.json") }

func (s *Store) contentFile(tenant, sha256 string) string {
	digest := name(sha256)
	return filepath.Join(s.dir, "kept", name(tenant), "contents", digest[:min(2, len(digest))], digest)
}

func (s *Store) answerFile(k ledger.CallKey, promptSHA256 string) string {
	return filepath.Join(s.dir, "kept", name(k.Tenant), "answers", name(k.RunID), name(k.TaskID),
		strconv.Itoa(k.Call)+"-"+name(promptSHA256)+".json")
}

func (s *Store) attemptsDir(k ledger.CallKey) string {
	return filepath.Join(s.dir, "kept", name(k.Tenant), "calls", name(k.RunID), name(k.TaskID), strconv.Itoa(k.Call))
}

func (s *Store) attemptFile(k ledger.CallKey, attempt int) string {
	return filepath.Join(s.attemptsDir(k), strconv.Itoa(attempt)+".json")
}

func (s *Store) priceFile(tenant, id string) string {
	return filepath.Join(s.dir, "kept", name(tenant), "prices", name(id)+".json")
}

func (s *Store) sourceFile(tenant, source string) string {
	return filepath.Join(s.dir, "kept", name(tenant), "sources", name(source)+".json")
}
