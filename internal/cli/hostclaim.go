package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/tutti-dev/tutti/internal/content"
)

// claimsDir holds, in the data directory, the tokens of claims between `host next`
// and `host submit`, one file a claim, for nobody but the user.
const claimsDir = "claims"

// claimFile is where the token of a claim lies. The holder is part of the name:
// a session must not find the token with which another took its task over.
func (c *command) claimFile(runID, taskID string) string {
	name := content.Digest(strings.Join([]string{c.app.Config.Tenant, runID, taskID, c.holder()}, "\x00"))
	return filepath.Join(c.app.Config.DataDir, claimsDir, name[:32])
}

// rememberClaim keeps a token. The file is replaced as a whole.
func (c *command) rememberClaim(runID, taskID string, token int64) error {
	path := c.claimFile(runID, taskID)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("remember the claim: %w", err)
	}
	temp, err := os.CreateTemp(filepath.Dir(path), "claim.*.tmp") // Its mode is 0600.
	if err != nil {
		return fmt.Errorf("remember the claim: %w", err)
	}
	defer func() { _ = os.Remove(temp.Name()) }() // Once it has its name, nothing is left to remove.
	_, err = temp.WriteString(strconv.FormatInt(token, 10) + "\n")
	if err = errors.Join(err, temp.Close()); err == nil {
		err = os.Rename(temp.Name(), path)
	}
	if err != nil {
		return fmt.Errorf("remember the claim: %w", err)
	}
	return nil
}

// rememberedClaim returns the token that this holder was given, or 0.
func (c *command) rememberedClaim(runID, taskID string) (int64, error) {
	raw, err := os.ReadFile(c.claimFile(runID, taskID))
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("read the claim: %w", err)
	}
	token, err := strconv.ParseInt(strings.TrimSpace(string(raw)), 10, 64)
	if err != nil {
		return 0, fmt.Errorf("read the claim: %w", err)
	}
	return token, nil
}

// forgetClaim removes a token that is of no use any more. One that cannot be
// removed does no harm: the task is over.
func (c *command) forgetClaim(runID, taskID string) { _ = os.Remove(c.claimFile(runID, taskID)) }
