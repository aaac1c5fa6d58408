package workflows

import (
	"go.temporal.io/sdk/workflow"

	"github.com/tutti-dev/tutti/internal/history"
	"github.com/tutti-dev/tutti/internal/run"
)

// firstCall is the number of a task's first question to a model.
const firstCall = 1

func (l *life) schedulePlan() workflow.Future {
	ctx := workflow.WithActivityOptions(l.activities,
		l.promptOptions(history.PlanActivityID(), "plan · resolve chain and specialists"))
	return workflow.ExecuteActivity(ctx, history.ActivityPlan, l.in)
}

// schedule starts the activity that a task's backend asks for. Inline and host
// only make the prompt; a provider's task makes it and calls.
func (l *life) schedule(task *run.Task) (workflow.Future, int) {
	planned := l.plan.Tasks[task.Seq-1]
	input := l.taskInput(task, planned)
	summary := task.ID + " · " + task.Specialist.Name + " · " + string(task.Backend)
	if task.Backend != run.BackendProvider {
		ctx := workflow.WithActivityOptions(l.activities, l.promptOptions(history.PromptActivityID(task.ID), summary))
		return workflow.ExecuteActivity(ctx, history.ActivityPrompt, input), 0
	}
	input.Call = firstCall
	summary += " · " + planned.Provider + "/" + planned.Model
	ctx := workflow.WithActivityOptions(l.activities, l.callOptions(task.ID, firstCall, planned.Limits, summary))
	return workflow.ExecuteActivity(ctx, history.ActivityExecute, input), firstCall
}

func (l *life) taskInput(task *run.Task, planned run.PlannedTask) history.TaskInput {
	input := history.TaskInput{
		TenantID: l.record.TenantID, RunID: l.record.RunID, TaskID: task.ID,
		PromptFormat: l.record.PromptFormat,
		Request:      l.in.Request, Attachments: l.in.Attachments,
		Reason: task.Reason, Upstream: l.upstream(task),
		ModelChoice: planned.ModelChoice,
	}
	if s := l.plan.Specialist(planned.Specialist); s != nil {
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
