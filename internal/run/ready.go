package run

import "slices"

// passOver returns the events that close queued tasks which will never start:
// all of them once a cancellation was seen, else those whose needs failed.
func (r *Record) passOver() []Event {
	var events []Event
	gone := make(map[string]bool)
	for i := range r.Tasks {
		if s := r.Tasks[i].Status; s == TaskFailed || s == TaskSkipped || s == TaskCancelled {
			gone[r.Tasks[i].ID] = true
		}
	}
	for again := true; again; {
		again = false
		for i := range r.Tasks {
			t := &r.Tasks[i]
			if gone[t.ID] || !r.mustPassOver(t, gone) {
				continue
			}
			gone[t.ID], again = true, true
			if r.CancelRequested || r.Error != nil {
				events = append(events, TaskStopped{OfTask: OfTask{t.ID}})
			} else {
				events = append(events, TaskPassedOver{OfTask: OfTask{t.ID}, Reason: SkipUpstreamFailed})
			}
		}
	}
	return events
}

func (r *Record) mustPassOver(t *Task, gone map[string]bool) bool {
	if r.CancelRequested || r.Error != nil {
		return t.Status == TaskQueued || t.Status == TaskAwaitingHost || t.Status == TaskParked ||
			t.Status == TaskRunning && t.turns.again
	}
	if t.Status != TaskQueued || t.ContinueOnUpstreamFailure {
		return false
	}
	return slices.ContainsFunc(t.Needs, func(id string) bool { return gone[id] })
}

// ready lists by seq the queued tasks whose needs have all ended, and those that
// are to be scheduled anew.
func (r *Record) ready() []string {
	var ids []string
	for i := range r.Tasks {
		t := &r.Tasks[i]
		startable := t.turns.again || t.Status == TaskQueued && r.needsEnded(t)
		if startable && !t.Status.IsTerminal() && len(ids) < MaxStartsPerTurn {
			ids = append(ids, t.ID)
		}
	}
	return ids
}

func (r *Record) needsEnded(t *Task) bool {
	return !slices.ContainsFunc(t.Needs, func(id string) bool {
		need := r.TaskByID(id)
		return need != nil && (!need.Status.IsTerminal() || need.turns.storing)
	})
}

func (r *Record) isFinished() bool {
	if r.AwaitsPlan {
		return false
	}
	return !slices.ContainsFunc(r.Tasks, func(t Task) bool { return !t.Status.IsTerminal() || t.turns.storing })
}

// liveStatus is the status of a run that goes on.
func (r *Record) liveStatus(starting bool) Status {
	counts := r.Counts()
	storing := slices.ContainsFunc(r.Tasks, func(t Task) bool { return t.turns.storing })
	if counts[TaskAwaitingHost] > 0 && counts[TaskRunning] == 0 && !starting && !storing {
		return AwaitingHost
	}
	return Running
}
