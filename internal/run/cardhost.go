package run

import (
	"fmt"
	"regexp"
	"strings"
)

// writeHostCommands says how a result gets to a task that awaits a host: with
// tutti, and with nothing but the Temporal CLI.
func (r *Record) writeHostCommands(b *strings.Builder, t *Task) {
	fmt.Fprintf(b, "\n#### %s waits for a host\n\n", cell(t.ID))
	if t.Host != nil && t.Host.ClaimedBy != "" {
		fmt.Fprintf(b, "Claimed by %s.\n\n", cell(t.Host.ClaimedBy))
	}
	id := ShellWord(r.RunID)
	result := ShellWord(fmt.Sprintf(`{"taskId": %q, "outcome": "done", "output": "…"}`, t.ID))
	for _, way := range []struct{ title, command string }{
		{"Take the prompt", "tutti host next " + id},
		{"Hand the result in", fmt.Sprintf("tutti host submit %s %s -f FILE", id, ShellWord(t.ID))},
		{
			"Read the prompt without tutti (`hostPrompt` in the record)",
			"temporal workflow query --workflow-id " + id + " --type record",
		},
		{
			"Hand the result in without tutti, and learn whether it counts",
			"temporal workflow update execute --workflow-id " + id + " --name submit-task-result --input " + result,
		},
		{
			"The same while no worker runs",
			"temporal workflow signal --workflow-id " + id + " --name task-result --input " + result,
		},
	} {
		fmt.Fprintf(b, "%s:\n\n```sh\n%s\n```\n\n", way.title, way.command)
	}
}

var plainWord = regexp.MustCompile(`^[A-Za-z0-9@._/:-]+$`)

// ShellWord writes a text so that a shell takes it as one word.
func ShellWord(s string) string {
	if plainWord.MatchString(s) {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
