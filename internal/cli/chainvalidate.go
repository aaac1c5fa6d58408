package cli

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tutti-dev/tutti/internal/chain"
	"github.com/tutti-dev/tutti/internal/definition"
)

// verdict is what is to be said of one chain.
type verdict struct {
	Chain    string               `json:"chain"` // as it was given: a file, a name, a list
	OK       bool                 `json:"ok"`
	Version  *string              `json:"version"`
	Problems []definition.Problem `json:"problems"`

	lines []string
}

func (c *command) chainValidate() *cobra.Command {
	var f format
	cmd := &cobra.Command{
		Use:   "validate [FILE|NAME]...",
		Short: "Check chains: graph, specialists, keys",
		Long: `Check chains, given as files, names or lists; without any, every chain there is.
Each problem is named with file, line and column and with what to do; the exit
code is then 2.`,
		RunE: func(_ *cobra.Command, args []string) error { return c.validateChains(args, f) },
	}
	f.addJSON(cmd)
	cmd.ValidArgsFunction = cobra.FixedCompletions([]cobra.Completion{"yaml", "yml"}, cobra.ShellCompDirectiveFilterFileExt)
	return cmd
}

func (c *command) validateChains(args []string, f format) error {
	d, err := c.definitions()
	if err != nil {
		return err
	}
	if len(args) == 0 {
		args = d.allChains()
	}
	verdicts := make([]verdict, 0, len(args))
	code := ExitOK
	for _, arg := range args {
		v, err := c.validate(d, arg)
		if err != nil {
			return err
		}
		if verdicts = append(verdicts, v); !v.OK {
			code = ExitUsage
		}
	}
	if f.json {
		err = c.printJSON(map[string][]verdict{"chains": verdicts})
	} else {
		err = c.printVerdicts(verdicts)
	}
	if err != nil {
		return err
	}
	return exit(code)
}

// allChains names every chain that there is, refused ones included.
func (d definitions) allChains() []string {
	var names []string
	for _, ch := range d.chains.All() {
		names = append(names, ch.Name)
	}
	for _, r := range d.chains.Problems() {
		names = append(names, r.Name)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func (c *command) printVerdicts(verdicts []verdict) error {
	rows := newTable(c.process.Stdout)
	for _, v := range verdicts {
		if v.OK {
			rows.row("OK", v.Chain, orUnknown(v.Version))
		}
		for _, line := range v.lines {
			c.say("%s", oneLine(line))
		}
	}
	return rows.flush()
}

// validate checks one chain. The error is about a file that cannot be read.
func (c *command) validate(d definitions, arg string) (verdict, error) {
	v := verdict{Chain: arg, Problems: []definition.Problem{}}
	ch, err := c.checked(d, arg)
	var unread *failure
	switch {
	case errors.As(err, &unread):
		return v, err
	case err != nil:
		v.Problems, v.lines = problemsOf(err), problemLines(err)
		return v, nil
	}
	version, err := chain.Version(ch, d.specialists.Version)
	v.OK, v.Version = true, orNull(version)
	return v, err
}

func (c *command) checked(d definitions, arg string) (chain.Chain, error) {
	if !c.isFile(arg) {
		return d.chains.Resolve(arg, d.specialists.Lookup)
	}
	data, err := c.readDefinition(arg)
	if err != nil {
		return chain.Chain{}, err
	}
	return chain.Check(arg, data, d.specialists.Lookup)
}

// isFile says whether a word means a file rather than a chain's name.
func (c *command) isFile(arg string) bool {
	if chain.IsList(arg) {
		return false
	}
	extension := strings.ToLower(filepath.Ext(arg))
	return strings.ContainsRune(arg, filepath.Separator) || extension == ".yaml" || extension == ".yml"
}

// readDefinition reads a file, and no more of it than tells that it is too large.
func (c *command) readDefinition(path string) ([]byte, error) {
	place := path
	if !filepath.IsAbs(place) {
		place = filepath.Join(c.process.WorkDir, place)
	}
	file, err := os.Open(place)
	if err == nil {
		defer file.Close()
		var data []byte
		if data, err = io.ReadAll(io.LimitReader(file, definition.MaxFileBytes+1)); err == nil {
			return data, nil
		}
	}
	reason := "cannot be read"
	if errors.Is(err, fs.ErrNotExist) {
		reason = "does not exist"
	}
	return nil, &failure{code: ExitUsage, err: err, message: "file " + path + " " + reason, next: "name a chain file, or a chain from `tutti chain list`"}
}
