package mcp

import (
	"fmt"
	"strings"

	"github.com/tutti-dev/tutti/internal/run"
)

// instructions are what every host tells its model about this server.
const instructions = `tutti runs a request through a chain of specialists and records every step durably. ` +
	`Start work with orchestration_run. By default the specialists' prompts are yours to execute, in this session: ` +
	`run each next_task as your own turn or subagent, hand in only its deliverable with orchestration_task_result, and go on ` +
	`until next_task is null. A run that waits for you (awaiting-host) has not failed: never start it again for that, and ` +
	`never with another backend. Runs survive this session; orchestration_next without run_id finds one that still waits. ` +
	`Choose worker_backend provider only if the user asked for it: it calls a paid API.`

// hostInstructions tell a host's model what to do with what it got. They say first
// that nothing went wrong: a host has read a waiting run as a failure and has done
// the work again with a paid provider.
func hostInstructions(r *run.Record, next *nextTask, opening string) string {
	switch {
	case next == nil && r.Status.IsTerminal():
		return ended(r)
	case next == nil && r.Status == run.Planned:
		return opening + "It was recorded and waits for a tutti worker; nothing is lost. Start one with `tutti worker` or `tutti dev`, " +
			"then call orchestration_next with this run_id. Do not start the run again."
	case next == nil:
		return opening + "It goes on by itself now; no prompt waits for you at this moment. Call orchestration_next with this run_id after retry_after_ms. " +
			"Do not start the run again."
	case next.ClaimedBy != "":
		return opening + fmt.Sprintf("It waits, but another of your sessions (%s) has task %s in hand. Leave it to that session, or, if that session is gone, "+
			"call orchestration_next with this run_id and takeover true. Do not start the run again.", run.Clip(next.ClaimedBy, 80), next.TaskID)
	}
	return opening + working(next)
}

func working(next *nextTask) string {
	var b strings.Builder
	b.WriteString("It now waits for you. Execute next_task as your own turn or subagent: system is the role, user the work. ")
	if next.Parts > 1 {
		fmt.Fprintf(&b, "The prompt has %d parts; fetch parts 2 to %d with orchestration_prompt and join their texts: system, one NUL, user. ", next.Parts, next.Parts)
	}
	b.WriteString("Submit only the deliverable with orchestration_task_result, with claim_token and prompt_sha256. Follow next_task until it is null. ")
	if next.ClaimToken == 0 {
		b.WriteString("The task is not claimed; its result counts all the same unless another host claims it. ")
	}
	b.WriteString("Do not start the run again with another backend: awaiting-host is no failure.")
	return b.String()
}

func ended(r *run.Record) string {
	return fmt.Sprintf("The run has ended as %s; no task is left. Its outputs are to be had with orchestration_status and include_outputs true. "+
		"Tell the user how it ended and what came out.", r.Status)
}

// nothingExecuted is the message of a run whose prompts were only prepared.
func nothingExecuted(r *run.Record) string {
	if r.WorkerBackend != string(run.BackendInline) {
		return ""
	}
	return fmt.Sprintf("Nothing was executed: the inline backend only prepares prompts, here of %d task(s), and no model has seen them.", len(r.Tasks))
}
