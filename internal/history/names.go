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
	ActivityQueue   = "InspectQueue"

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

// anew marks the activity IDs of what is scheduled again: an ID is never used twice.
const anew = "~"

func numbered(id string, n int) string {
	if n <= 1 {
		return id
	}
	return id + anew + strconv.Itoa(n)
}

// CallActivityID is the ID of the activity that makes a task's call, scheduled
// for the n-th time.
func CallActivityID(taskID string, call, n int) string {
	return numbered(taskID+"/"+strconv.Itoa(call), n)
}

// PromptActivityID is the ID of the activity that materialises a task's prompt.
func PromptActivityID(taskID string, n int) string { return numbered(taskID+"/prompt", n) }

// QueueActivityID is the ID of the activity that asks about a task's queue.
func QueueActivityID(taskID string, n int) string { return numbered(taskID+"/queue", n) }

// ContentActivityID is the ID of the activity that moves a task's raw result into the store.
func ContentActivityID(taskID string, n int) string { return numbered(taskID+"/content", n) }

// timerSeparator divides the task from the words in a timer's summary.
const timerSeparator = " · "

// TimerSummary is what the Web UI shows of a parked task's timer. It begins with
// the task, which is how the fold knows whose timer it is.
func TimerSummary(taskID, why string) string { return taskID + timerSeparator + why }

// purpose is what a task's activity is for.
type purpose int

const (
	forCall purpose = iota
	forPrompt
	forQueue
	forContent
)

// activityName is an activity ID taken apart.
type activityName struct {
	taskID  string
	purpose purpose
	call    int
}

// parseActivityID takes an activity ID apart. It is not ok for one that is no task's.
func parseActivityID(id string) (name activityName, ok bool) {
	at := strings.LastIndexByte(id, '/')
	if at <= 0 {
		return activityName{}, false
	}
	name.taskID = id[:at]
	rest, _, _ := strings.Cut(id[at+1:], anew)
	switch rest {
	case "prompt":
		name.purpose = forPrompt
		return name, true
	case "queue":
		name.purpose = forQueue
		return name, true
	case "content":
		name.purpose = forContent
		return name, true
	}
	n, err := strconv.Atoi(rest)
	name.call = n
	return name, err == nil && n > 0
}
