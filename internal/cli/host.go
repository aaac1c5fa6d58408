package cli

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/tutti-dev/tutti/internal/app"
	"github.com/tutti-dev/tutti/internal/run"
)

func (c *command) host() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "host",
		Short: "Execute the prompts of runs that wait for a host",
		Long: `Execute the prompts of runs that wait for a host: whoever has a capable model at
hand and no API key, an agent session or a person.

  tutti host next            prints a prompt and claims it
  tutti host submit RUN TASK -f FILE
                             hands in what came out
  tutti host fail RUN TASK --reason TEXT
                             says that nothing did

A claim belongs to the user and the session in TUTTI_HOST_SESSION (without it, cli).`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(c.hostNext(), c.hostSubmit(), c.hostFail())
	return cmd
}

// roleCLI is what a host is called that uses these commands.
const roleCLI = "cli"

// sessionVariable names the session of the host, so that two sessions of one user
// do not take each other for themselves.
const sessionVariable = "TUTTI_HOST_SESSION"

func (c *command) session() string {
	name, _ := c.process.Lookup(sessionVariable)
	return name
}

// holder is who claims: the principal, and the session or the role.
func (c *command) holder() string {
	return c.app.Config.Principal + "/" + cmp.Or(c.session(), roleCLI)
}

// nextTask is a prompt for a host, for programs: in the words of the MCP tools.
type nextTask struct {
	RunID          string   `json:"run_id"`
	TaskID         string   `json:"task_id"`
	Role           string   `json:"role"`
	Tools          []string `json:"tools,omitempty"`
	System         string   `json:"system"`
	User           string   `json:"user"`
	PromptSHA256   string   `json:"prompt_sha256"`
	ClaimToken     int64    `json:"claim_token,omitempty"`
	ClaimExpiresAt string   `json:"claim_expires_at,omitempty"`
}

// submitCommand is the exact command that hands a result in from standard input.
func submitCommand(runID, taskID string) string {
	return fmt.Sprintf("tutti host submit %s %s -f -", run.ShellWord(runID), run.ShellWord(taskID))
}

// rejected is a host's request that was refused, for programs.
type rejected struct {
	Accepted    bool     `json:"accepted"`
	Code        run.Code `json:"code"`
	Error       string   `json:"error"`
	Remediation string   `json:"remediation,omitempty"`
}

// refusal puts a rejection into words: the code, the reason, the next step.
func (c *command) refusal(err error, f format) error {
	var r *run.Rejection
	if !errors.As(err, &r) {
		return err
	}
	if f.json {
		if err := c.printJSON(rejected{Code: r.Code, Error: r.Message, Remediation: r.Remediation}); err != nil {
			return err
		}
	}
	return &failure{code: ExitNotCompleted, message: string(r.Code) + ": " + r.Message, next: r.Remediation, err: err}
}

// nothing puts into words that there is no prompt to pick up.
func nothing(e *app.NothingError) error {
	next := "start one with `tutti submit \"…\" --backend host`"
	switch id := e.Record.RunID; {
	case e.Held != nil:
		next = "wait, or if that session is your own and gone, `tutti host next " + run.ShellWord(id) + " --takeover`"
	case id == "":
	case e.Record.Status.IsTerminal():
		next = "see the result with `tutti run output " + id + "`"
	default:
		next = "follow it with `tutti run watch " + id + "`"
	}
	return &failure{code: ExitAwaitsHost, message: e.Error(), next: next, err: e}
}
