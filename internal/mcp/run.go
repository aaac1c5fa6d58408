package mcp

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/tutti-dev/tutti/internal/config"
	"github.com/tutti-dev/tutti/internal/history"
	"github.com/tutti-dev/tutti/internal/plan"
	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/runs"
)

type runArguments struct {
	Request        string `json:"request"`
	Chain          string `json:"chain"`
	Backend        string `json:"worker_backend"`
	Model          string `json:"model"`
	IdempotencyKey string `json:"idempotency_key"`
	WaitMS         *int64 `json:"wait_ms"`
}

// runWait is how long a start waits for the first prompt when nobody says.
const runWait = 15 * time.Second

func runTool() tool {
	return tool{
		name: "orchestration_run", title: "Start a run",
		description: "Run a request through a chain of specialists, durably. By default you execute the specialists' prompts yourself, " +
			"in this session: the answer holds the first one as next_task.",
		arguments: []argument{
			required(text("request", "What is to be done, whole: specialists see nothing else of this conversation.")),
			text("chain", `A chain's name, or a list like "architect -> engineer -> reviewer". Default: planned from the request.`),
			choice("worker_backend", "Who executes the tasks: host (you; the default), provider (a paid model API), inline (nobody: prompts are only prepared).",
				string(run.BackendHost), string(run.BackendProvider), string(run.BackendInline)),
			text("model", "Model for the provider backend, like anthropic/claude-sonnet-4.5."),
			text("idempotency_key", "The same key and request lead to the same run. Default: your host's own ID of this call, where it sends one."),
			number("wait_ms", "How long to wait for the first prompt, at most 20000. Default 15000."),
		},
		hints:  hints{openWorld: true},
		answer: answering(startRun),
	}
}

// taskRow is a task as a list shows it.
type taskRow struct {
	TaskID string         `json:"task_id"`
	Role   string         `json:"role"`
	Status run.TaskStatus `json:"status"`
}

type runAnswer struct {
	RunID            string     `json:"run_id"`
	Status           run.Status `json:"status"`
	Backend          string     `json:"backend"`
	Message          string     `json:"message,omitempty"`
	Semantics        string     `json:"semantics"`
	Deduplicated     bool       `json:"deduplicated,omitempty"`
	HostInstructions string     `json:"host_instructions"`
	NextTask         *nextTask  `json:"next_task"`
	RetryAfterMS     int64      `json:"retry_after_ms,omitempty"`
	Tasks            []taskRow  `json:"tasks"`
	// TasksOmitted are left to orchestration_status.
	TasksOmitted int      `json:"tasks_omitted,omitempty"`
	Notices      []string `json:"notices,omitempty"`
}

// shrink leaves out tasks, then notices.
func (a *runAnswer) shrink() bool {
	if n := len(a.Tasks); n > 0 {
		a.TasksOmitted += n - n/2
		a.Tasks = a.Tasks[:n/2]
		return true
	}
	if n := len(a.Notices); n > 0 {
		a.Notices = a.Notices[:n-1]
		return true
	}
	return false
}

func startRun(ctx context.Context, c *call, a runArguments) (any, error) {
	if strings.TrimSpace(a.Request) == "" {
		return nil, missing(run.CodeRunInputInvalid, "request")
	}
	made, client, started, err := c.start(ctx, a)
	if err != nil {
		return nil, err
	}
	answer := &runAnswer{RunID: started.RunID, Deduplicated: started.Deduplicated}
	for _, notice := range append(append(made.Notices, made.Input.Plan.Warnings...), append(started.Warnings, c.executionNotice()...)...) {
		answer.Notices = append(answer.Notices, run.Clip(notice, 200))
	}
	wait := runWait
	if a.WaitMS != nil {
		wait = time.Duration(*a.WaitMS) * time.Millisecond
	} else if polled, err := client.HasPollers(ctx); err == nil && !polled {
		wait = 0
	}
	c.fillRun(ctx, client, answer, c.until(wait))
	return answer, nil
}

// start starts the run once, whatever becomes of the caller meanwhile.
func (c *call) start(ctx context.Context, a runArguments) (plan.Made, *runs.Client, runs.Started, error) {
	ctx, cancel := detached(ctx, startLimit)
	defer cancel()
	made, err := c.app.MakeFor(ctx, plan.Wish{Request: a.Request, Chain: a.Chain, Backend: a.Backend, Model: a.Model}, run.BackendHost)
	if err != nil {
		return made, nil, runs.Started{}, err
	}
	client, err := c.runs(ctx)
	if err != nil {
		return made, nil, runs.Started{}, err
	}
	started, err := c.app.Start(ctx, made, cmp.Or(a.IdempotencyKey, c.caller.callID))
	if err == nil {
		c.project(ctx, started.RunID)
	}
	return made, client, started, err
}

// fillRun completes the answer with the run as it is. The run exists: what cannot
// be read now is no failure of the start, or the host would start it again.
func (c *call) fillRun(ctx context.Context, client *runs.Client, answer *runAnswer, until time.Time) {
	opening := "The run was started. "
	if answer.Deduplicated {
		opening = "The run was started before; this is the same one. "
	}
	folded, err := c.settle(ctx, client, answer.RunID, until)
	if err == nil {
		answer.NextTask, folded, err = c.offer(ctx, client, folded, wanted{claim: true})
	}
	if err != nil {
		answer.Status = run.Planned
		answer.HostInstructions = fmt.Sprintf("%sIts first prompt cannot be read now (%s). Call orchestration_next with this run_id later. Do not start the run again.",
			opening, run.Clip(explain(err).Message, 200))
	}
	if folded.Record.RunID != "" {
		c.describeRun(answer, &folded, opening)
	}
}

func (c *call) describeRun(answer *runAnswer, folded *history.Folded, opening string) {
	r := &folded.Record
	answer.Status, answer.Backend, answer.Semantics = r.Status, r.WorkerBackend, r.Semantics
	answer.Message = nothingExecuted(r)
	for i := range r.Tasks {
		answer.Tasks = append(answer.Tasks, taskRow{r.Tasks[i].ID, r.Tasks[i].Specialist.Name, r.Tasks[i].Status})
	}
	answer.RetryAfterMS = retryAfter(r, answer.NextTask)
	if answer.HostInstructions == "" {
		answer.HostInstructions = hostInstructions(r, answer.NextTask, opening)
	}
}

// executionNotice says what becomes of a configured way of execution that this
// server does not go.
func (c *call) executionNotice() []string {
	if c.app.Config.Host.Execution != config.ExecutionSampling {
		return nil
	}
	return []string{"host.execution is sampling, which this version does not offer: prompts are picked up by orchestration_next instead"}
}

// The advice when to ask again: soon while prompts are made, later while a model works.
const (
	retrySoon  = 2000
	retryLater = 5000
)

func retryAfter(r *run.Record, next *nextTask) int64 {
	switch {
	case next != nil || r.Status.IsTerminal():
		return 0
	case r.Status == run.Planned:
		return retryLater
	}
	return retrySoon
}
