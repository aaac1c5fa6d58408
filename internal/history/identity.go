package history

import (
	enumspb "go.temporal.io/api/enums/v1"
	historypb "go.temporal.io/api/history/v1"
)

// Identity is what a history says of itself: of which type its workflow is, and
// which Temporal run it is the history of.
type Identity struct{ WorkflowType, TemporalRunID string }

// IdentityOf reads a whole history. A reset copies the beginning of another run,
// whose own ID stands in the first event; what the new run is called stands in the
// failed workflow task by which the reset begins. Of several resets the last one
// made this run.
func IdentityOf(events []*historypb.HistoryEvent) Identity {
	if len(events) == 0 {
		return Identity{}
	}
	started := events[0].GetWorkflowExecutionStartedEventAttributes()
	id := Identity{WorkflowType: started.GetWorkflowType().GetName(), TemporalRunID: started.GetOriginalExecutionRunId()}
	for _, e := range events {
		failed := e.GetWorkflowTaskFailedEventAttributes()
		if failed.GetCause() == enumspb.WORKFLOW_TASK_FAILED_CAUSE_RESET_WORKFLOW {
			id.TemporalRunID = failed.GetNewRunId()
		}
	}
	return id
}
