package cli

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/tutti-dev/tutti/internal/doctor"
	"github.com/tutti-dev/tutti/internal/mcp"
)

// examinedMCP implements doctor.MCP with this very program, started once more as an
// agent's program would start it, with the configuration that is examined.
type examinedMCP struct{ command *command }

// Probe implements doctor.MCP.
func (e examinedMCP) Probe(ctx context.Context) (doctor.MCPOffer, error) {
	c := e.command
	if c.process.Executable == "" {
		return doctor.MCPOffer{}, errors.New("the path of this program is not known")
	}
	words := []string{c.process.Executable, "mcp"}
	if c.global.config != "" {
		words = append(words, "--config", c.global.config)
	}
	if c.global.tenant != "" {
		words = append(words, "--tenant", c.global.tenant)
	}
	offered, err := mcp.Probe{Command: words, Env: c.process.Environ, Dir: c.process.WorkDir, Version: buildVersion()}.Run(ctx)
	return doctor.MCPOffer(offered), err
}

// Program implements doctor.MCP.
func (e examinedMCP) Program() string { return e.command.process.Executable }

// OnPath implements doctor.MCP.
func (e examinedMCP) OnPath() string {
	path, _ := e.command.process.Lookup("PATH")
	for _, folder := range filepath.SplitList(path) {
		found := filepath.Join(folder, "tutti")
		info, err := os.Stat(found)
		if err != nil || !info.Mode().IsRegular() || info.Mode()&0o111 == 0 {
			continue
		}
		if own, err := os.Stat(e.Program()); err == nil && os.SameFile(own, info) {
			return e.Program()
		}
		return found
	}
	return ""
}
