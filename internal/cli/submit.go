package cli

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/tutti-dev/tutti/internal/config"
	"github.com/tutti-dev/tutti/internal/plan"
	"github.com/tutti-dev/tutti/internal/run"
)

// submission is one `tutti submit` with its flags.
type submission struct {
	*command
	files        []string
	taskBackends []string
	wish         plan.Wish
	key          string
	pickup, wait time.Duration
	detach, json bool
	printInput   bool
	pin          bool

	maxCost, maxTokens string
}

func (c *command) submit() *cobra.Command {
	s := &submission{command: c}
	cmd := &cobra.Command{
		Use:   "submit [TEXT] [-]",
		Short: "Submit a request and wait for its result",
		Long: `Submit a request and wait for its result.

The request is TEXT. Files (-f) and standard input (-) follow it as attachments; without a TEXT
the first of them is the request. Only the final message goes to standard output.

  tutti submit "add a rate limiter to the API" --chain feature
  git diff | tutti submit "review this" - --chain review --backend provider --model openai/gpt-5

With --backend host the prompts are yours to execute: once one waits, its run and the next step
stand on standard error, and the exit code is 3.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := s.budget(cmd); err != nil {
				return err
			}
			return s.run(cmd.Context(), args)
		},
	}
	f := cmd.Flags()
	f.StringArrayVarP(&s.files, "file", "f", nil, "file to attach (repeatable)")
	f.StringVar(&s.wish.Chain, "chain", "", `chain, or a list like "architect -> engineer" (default: planned from the request)`)
	f.StringVar(&s.wish.Backend, "backend", "", "inline, provider or host, for all tasks")
	f.StringArrayVar(&s.taskBackends, "task-backend", nil, "ID=BACKEND, for one task (repeatable)")
	f.StringVar(&s.wish.Model, "model", "", "model, like anthropic/claude-sonnet-4.5")
	f.StringVar(&s.wish.Provider, "provider", "", "provider that serves the model")
	f.StringVar(&s.maxCost, "max-cost", "", "most that the run may cost, in US dollars, like 0.50 (default budget.maxCostUsd)")
	f.StringVar(&s.maxTokens, "max-tokens", "", "most tokens that the run may read and write in all (default budget.maxTokens)")
	f.StringVar(&s.key, "idempotency-key", "", "submitting again with this key leads to the same run")
	f.BoolVar(&s.pin, "pin", false, "execute the run by the workers' build in this configuration (deployment:) alone, whichever is current")
	f.DurationVar(&s.pickup, "pickup", 30*time.Second, "how long to wait for a worker")
	f.DurationVar(&s.wait, "wait", 30*time.Minute, "how long to wait for the result")
	f.BoolVar(&s.detach, "detach", false, "print the run's ID and do not wait")
	f.BoolVar(&s.json, "json", false, "print the whole record")
	f.BoolVar(&s.printInput, "print-input", false, "print what the run would be started with, and start nothing")
	s.complete(cmd)
	return cmd
}

// complete lets the shell complete what has a name. The flags exist.
func (s *submission) complete(cmd *cobra.Command) {
	complete(cmd, "backend", words(run.Backends())...)
	_ = cmd.RegisterFlagCompletionFunc("chain", s.completeChain)
	_ = cmd.RegisterFlagCompletionFunc("provider", func(cmd *cobra.Command, _ []string, prefix string) ([]cobra.Completion, cobra.ShellCompDirective) {
		return s.completeProviders(cmd, nil, prefix)
	})
	for _, flag := range []string{"model", "task-backend", "idempotency-key", "max-cost", "max-tokens", "pickup", "wait"} {
		complete(cmd, flag)
	}
}

func (s *submission) run(ctx context.Context, args []string) error {
	a, err := s.open()
	if err != nil {
		return err
	}
	if s.pin && !a.Config.Deployment.IsSet() {
		return usage("--pin keeps a run at the configured build of the workers, and none is configured",
			"configure deployment: {name, buildID} as the workers have it, or leave --pin out")
	}
	if err := s.read(args); err != nil {
		return err
	}
	made, err := a.Make(ctx, s.wish)
	if err != nil {
		return err
	}
	if s.printInput {
		return s.printJSON(made.Input)
	}
	for _, notice := range append(made.Notices, made.Input.Plan.Warnings...) {
		s.say("note: %s", notice)
	}
	start := a.Start
	if s.pin {
		start = a.StartPinned
	}
	started, err := start(ctx, made, s.key)
	if err != nil {
		return err
	}
	return s.started(ctx, a, started, made)
}

// budget reads the caps. A flag that is given and empty is refused: it is a
// variable of a script that was not set.
func (s *submission) budget(cmd *cobra.Command) error {
	given := func(flag string, value *string) *string {
		if cmd.Flags().Changed(flag) {
			return value
		}
		return nil
	}
	budget, err := config.ParseBudget(given("max-cost", &s.maxCost), given("max-tokens", &s.maxTokens))
	if err != nil {
		return &failure{code: ExitUsage, message: err.Error(), err: err}
	}
	s.wish.Budget = budget
	return nil
}

// read fills the wish from arguments, files and standard input.
func (s *submission) read(args []string) error {
	var texts []plan.Attachment
	for _, arg := range args {
		if arg == "-" {
			continue
		}
		if s.wish.Request != "" {
			return usage("more than one text was given", `put the request into quotes: tutti submit "…"`)
		}
		if s.wish.Request = arg; strings.TrimSpace(arg) == "" {
			return usage("the request is empty", `say what you want: tutti submit "…"`)
		}
	}
	for _, path := range s.files {
		text, err := s.readFile(path)
		if err != nil {
			return err
		}
		texts = append(texts, text)
	}
	if slices.Contains(args, "-") {
		text, err := s.readStdin()
		if err != nil {
			return err
		}
		texts = append(texts, text)
	}
	if s.wish.Request == "" && len(texts) > 0 {
		s.wish.Request, texts = texts[0].Text, texts[1:]
	}
	s.wish.Attachments = texts
	return s.readTaskBackends()
}

func (s *submission) readTaskBackends() error {
	s.wish.TaskBackends = make(map[string]string, len(s.taskBackends))
	for _, pair := range s.taskBackends {
		id, backend, ok := strings.Cut(pair, "=")
		if !ok || id == "" || backend == "" {
			return usage("--task-backend "+pair+" is not ID=BACKEND", "write it like --task-backend reviewer=inline")
		}
		s.wish.TaskBackends[id] = backend
	}
	return nil
}
