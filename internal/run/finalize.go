package run

import (
	"slices"
	"time"
)

// Finalize decides as what a run ends, from the record alone and for every
// path; the first rule that holds wins. It also returns all reasons for which
// the run is degraded, which are kept when another rule decides.
func Finalize(r *Record) (Status, []string) {
	reasons := degradationReasons(r)
	counts := r.Counts()
	switch {
	case r.Error != nil:
		return Errored, reasons
	case r.CancelRequested:
		return Cancelled, reasons
	case counts[TaskFailed]+counts[TaskSkipped] > 0:
		return CompletedWithFailures, reasons
	case len(r.Tasks) > 0 && counts[TaskPrepared] == len(r.Tasks):
		return CompletedPrepareOnly, reasons
	case len(reasons) > 0:
		return Degraded, reasons
	}
	return Completed, reasons
}

func degradationReasons(r *Record) []string {
	var reasons []string
	for i := range r.Tasks {
		for _, d := range r.Tasks[i].Degradations {
			reasons = append(reasons, d.Reason)
		}
	}
	counts := r.Counts()
	if counts[TaskPrepared] > 0 && counts[TaskDone] > 0 {
		reasons = append(reasons, DegradedPartlyPrepared)
	}
	if len(r.Tasks) == 0 {
		reasons = append(reasons, DegradedNoTasksPlanned)
	}
	slices.Sort(reasons)
	return slices.Compact(reasons)
}

// close ends the run: tasks still open end as cancelled, then Finalize decides.
func (r *Record) close(at time.Time) error {
	for i := range r.Tasks {
		if r.Tasks[i].Status.IsTerminal() {
			continue
		}
		if err := r.Tasks[i].goTo(TaskCancelled); err != nil {
			return err
		}
		r.Tasks[i].awaitNoMore()
		r.Tasks[i].FinishedAt = stamp(at, nil)
	}
	r.foldTasks()
	status, reasons := Finalize(r)
	r.DegradationReasons, r.Degraded = reasons, status == Degraded
	r.AwaitsPlan = false
	r.FinishedAt = stamp(at, nil)
	return r.goTo(status)
}
