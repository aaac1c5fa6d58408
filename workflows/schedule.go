package workflows

import (
	"go.temporal.io/sdk/workflow"

	"github.com/tutti-dev/tutti/internal/history"
	"github.com/tutti-dev/tutti/internal/run"
)

func (l *life) schedulePlan() workflow.Future {
	ctx := workflow.WithActivityOptions(l.activities,
		l.promptOptions(history.PlanActivityID(), "plan · resolve chain and specialists"))
	return workflow.ExecuteActivity(ctx, history.ActivityPlan, l.in)
}

// schedule starts the activity that a task's backend asks for. Inline and host
// only make the prompt; a provider's task makes it and calls.
func (l *life) schedule(task *run.Task) (workflow.Future, int) {
	input := l.taskInput(task)
	summary := task.ID + " · " + task.Specialist.Name + " · " + string(task.Backend)
	if task.Backend != run.BackendProvider {
		id := history.PromptActivityID(task.ID, l.number(task.ID+"/prompt"))
		ctx := workflow.WithActivityOptions(l.activities, l.promptOptions(id, summary))
		return workflow.ExecuteActivity(ctx, history.ActivityPrompt, input), 0
	}
	input.FallenBack, input.Allowance = l.record.FallenBack(task), l.record.Allowance(task)
	input.Call = 1 + len(input.FallenBack)
	id := history.CallActivityID(task.ID, input.Call, l.number(history.CallActivityID(task.ID, input.Call, 1)))
	summary += " · " + input.Name()
	ctx := workflow.WithActivityOptions(l.activities, l.callOptions(id, input.ModelChoice, summary))
	return workflow.ExecuteActivity(ctx, history.ActivityExecute, input), input.Call
}

// number counts how often something was scheduled, because an activity ID is
// never used again.
func (l *life) number(id string) int {
	l.numbers[id]++
	return l.numbers[id]
}

// startTimer lets a parked task wait, durably.
func (l *life) startTimer(park run.Park) flight {
	task := l.record.TaskByID(park.TaskID)
	why := "parked for " + string(task.ParkedFor)
	switch task.Status {
	case run.TaskAwaitingHost:
		why = "a host may submit until then"
	case run.TaskDone:
		why = "the store is away"
	default: // It is parked.
	}
	ctx, cancel := workflow.WithCancel(l.activities)
	future := workflow.NewTimerWithOptions(ctx, park.Wait, workflow.TimerOptions{
		Summary: history.TimerSummary(park.TaskID, why),
	})
	ofHost := task.Status == run.TaskAwaitingHost
	return flight{future: future, timer: true, ofHost: ofHost, cancel: cancel, event: func(history.Outcome) (run.Event, error) {
		return run.TaskResumed{OfTask: run.OfTask{TaskID: park.TaskID}}, nil
	}}
}

// inspect asks whether anybody polls the queue that a task waits in.
func (l *life) inspect(taskID string) flight {
	queue := l.record.Choice(l.record.TaskByID(taskID)).Queue
	id := history.QueueActivityID(taskID, l.number(taskID+"/queue"))
	ctx := workflow.WithActivityOptions(l.activities, l.promptOptions(id, taskID+" · who polls "+queue+"?"))
	future := workflow.ExecuteActivity(ctx, history.ActivityQueue, history.QueueInput{Queue: queue})
	return flight{future: future, event: func(o history.Outcome) (run.Event, error) {
		return history.QueueEvent(taskID, o)
	}}
}

func (l *life) taskInput(task *run.Task) history.TaskInput {
	input := history.TaskInput{
		Backend: task.Backend, TenantID: l.record.TenantID, RunID: l.record.RunID, TaskID: task.ID,
		PromptFormat: l.record.PromptFormat,
		Request:      l.in.Request, Attachments: l.in.Attachments,
		Reason: task.Reason, Upstream: l.upstream(task),
		ModelChoice: l.record.Choice(task),
	}
	if s := l.plan.Specialist(task.Specialist.Name); s != nil {
		input.System, input.Tools = s.Prompt, s.Tools
		input.MaxTokens, input.Temperature, input.Reasoning = s.MaxTokens, s.Temperature, s.Reasoning
		input.Effort, input.Extras = s.Effort, s.Extras
	}
	return input
}

// upstream tells a task of the tasks it needs, in the order of the chain.
func (l *life) upstream(task *run.Task) []history.Upstream {
	needed := make(map[string]bool, len(task.Needs))
	for _, id := range task.Needs {
		needed[id] = true
	}
	var list []history.Upstream
	for i := range l.record.Tasks {
		need := &l.record.Tasks[i]
		if !needed[need.ID] {
			continue
		}
		up := history.Upstream{
			TaskID: need.ID, Seq: need.Seq, Specialist: need.Specialist.Name,
			Executor: need.Executor, Status: need.Status, Truncated: need.Truncated,
		}
		if need.Error != nil {
			up.Why = string(need.Error.Code)
		} else if need.SkipReason != "" {
			up.Why = string(need.SkipReason)
		}
		if need.Status == run.TaskDone {
			up.Output = need.OutputText()
		}
		list = append(list, up)
	}
	return boundUpstream(list)
}

// boundUpstream keeps the inline text of one payload small: beyond the limit,
// outputs that the store also has go by reference, the longest first.
func boundUpstream(list []history.Upstream) []history.Upstream {
	total := 0
	for i := range list {
		total += len(list[i].Output.Inline)
	}
	for total > history.InputLimit {
		longest := -1
		for i := range list {
			t := list[i].Output
			if t.Kept && t.Inline != "" && (longest < 0 || len(t.Inline) > len(list[longest].Output.Inline)) {
				longest = i
			}
		}
		if longest < 0 {
			break
		}
		total -= len(list[longest].Output.Inline)
		list[longest].Output = list[longest].Output.Ref()
	}
	return list
}
