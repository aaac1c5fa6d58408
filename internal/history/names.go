package history

import (
	"strconv"
	"strings"
)

// The names that a run has in Temporal. Contracts fix them.
const (
	WorkflowType     = "tutti.Run"
	DefaultTaskQueue = "tutti"

	ActivityExecute = "ExecuteTask"
	ActivityPrompt  = "MaterializePrompt"
	ActivityPlan    = "ResolvePlan"

	QueryRecord = "record"

	MemoRequestSHA256 = "tuttiRequestSha256"
	MemoSummary       = "tuttiSummary"

	AttributeTenant  = "TuttiTenant"
	AttributeChain   = "TuttiChain"
	AttributeBackend = "TuttiBackend"
)

// SearchAttributes lists the custom search attributes; all are keywords.
func SearchAttributes() []string {
	return []string{AttributeTenant, AttributeChain, AttributeBackend}
}

// planActivityID is the ID of the activity that resolves a plan. It has no
// slash, so that it is no task's.
const planActivityID = "plan"

// PlanActivityID returns the ID of the planning activity.
func PlanActivityID() string { return planActivityID }

// CallActivityID is the ID of the activity that makes a task's call.
func CallActivityID(taskID string, call int) string { return taskID + "/" + strconv.Itoa(call) }

// PromptActivityID is the ID of the activity that materialises a task's prompt.
func PromptActivityID(taskID string) string { return taskID + "/prompt" }

// parseActivityID returns the task and call that an activity ID names. The call
// is 0 for a prompt.
func parseActivityID(id string) (taskID string, call int, ok bool) {
	at := strings.LastIndexByte(id, '/')
	if at <= 0 {
		return "", 0, false
	}
	taskID, rest := id[:at], id[at+1:]
	rest, _, _ = strings.Cut(rest, "~")
	if rest == "prompt" {
		return taskID, 0, true
	}
	n, err := strconv.Atoi(rest)
	return taskID, n, err == nil && n > 0
}
