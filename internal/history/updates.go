package history

import (
	"fmt"

	enumspb "go.temporal.io/api/enums/v1"
	historypb "go.temporal.io/api/history/v1"
	updatepb "go.temporal.io/api/update/v1"
	"go.temporal.io/sdk/converter"

	"github.com/tutti-dev/tutti/internal/run"
)

func isOfUpdate(e *historypb.HistoryEvent) bool {
	switch e.GetEventType() {
	case enumspb.EVENT_TYPE_WORKFLOW_EXECUTION_UPDATE_ADMITTED, enumspb.EVENT_TYPE_WORKFLOW_EXECUTION_UPDATE_ACCEPTED,
		enumspb.EVENT_TYPE_WORKFLOW_EXECUTION_UPDATE_COMPLETED:
		return true
	default:
		return false
	}
}

// update takes an event of an update. An accepted one belongs to the batch of the
// workflow task that accepted it, which stands before it in the history. After a
// reset the acceptance has no body; the admission has it.
func (f *Folder) update(e *historypb.HistoryEvent) error {
	if admitted := e.GetWorkflowExecutionUpdateAdmittedEventAttributes(); admitted != nil {
		request := admitted.GetRequest()
		f.admitted[request.GetMeta().GetUpdateId()] = request
		return nil
	}
	accepted := e.GetWorkflowExecutionUpdateAcceptedEventAttributes()
	if accepted == nil {
		return nil // Its completion says nothing that the acceptance did not imply.
	}
	request := accepted.GetAcceptedRequest()
	if request.GetInput() == nil {
		request = f.admitted[accepted.GetProtocolInstanceId()]
	}
	event, err := f.updateEvent(request)
	if err != nil || event == nil {
		return err
	}
	if f.open == nil {
		return fmt.Errorf("an update was accepted by no workflow task")
	}
	f.open.batch = append(f.open.batch, run.Stamped{Event: event, EventID: e.GetEventId(), At: e.GetEventTime().AsTime()})
	return nil
}

func (f *Folder) updateEvent(request *updatepb.Request) (run.Event, error) {
	args := request.GetInput().GetArgs()
	switch request.GetInput().GetName() {
	case UpdateSubmit:
		var result HostResult
		if err := f.dc.FromPayloads(args, &result); err != nil {
			return nil, err
		}
		return run.HostSubmitted{Submission: result.Submission(DoorUpdate)}, nil
	case UpdateClaim:
		var claim run.ClaimRequest
		if err := f.dc.FromPayloads(args, &claim); err != nil {
			return nil, err
		}
		return run.HostClaimed{Claim: claim}, nil
	default:
		f.out.Unknown["update "+request.GetInput().GetName()]++
		return nil, nil
	}
}

// signal reads a signal by our own decoder, as the workflow does.
func (f *Folder) signal(a *historypb.WorkflowExecutionSignaledEventAttributes) run.Event {
	if a.GetSignalName() != SignalResult {
		return nil
	}
	var raw converter.RawValue
	if err := f.dc.FromPayloads(a.GetInput(), &raw); err != nil {
		return run.SignalUnreadable{}
	}
	return SignalEvent(raw)
}
