package cli

import (
	"context"
	"log/slog"

	"github.com/spf13/cobra"

	"github.com/tutti-dev/tutti/internal/app"
	"github.com/tutti-dev/tutti/internal/config"
)

// Main runs one command and returns the exit code.
func Main(p Process) int {
	return execute(context.Background(), p)
}

// execute runs one command under a context.
func execute(ctx context.Context, p Process) int {
	c := &command{process: p}
	root := c.root()
	root.SetArgs(p.Args)
	root.SetIn(p.Stdin)
	root.SetOut(p.Stdout)
	root.SetErr(p.Stderr)
	ctx, again, stop := p.Interrupts(ctx)
	defer stop()
	done := make(chan error, 1)
	go func() { done <- root.ExecuteContext(ctx) }()
	select {
	case err := <-done:
		c.close()
		return c.report(err)
	case <-again: // Whoever asks twice does not want to wait.
		return ExitPlatform
	}
}

// command is what the verbs share: the process, the global flags, the app that
// they make.
type command struct {
	process Process
	global  struct {
		config, tenant string
		verbose        bool
	}
	app *app.App
}

func (c *command) root() *cobra.Command {
	root := &cobra.Command{
		Use:           "tutti",
		Short:         "Run a request through a chain of specialists, durably",
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          noArguments,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return usage(err.Error(), "see `"+cmd.CommandPath()+" --help`")
	})
	flags := root.PersistentFlags()
	flags.StringVar(&c.global.config, "config", "", "configuration file (default tutti.yaml here, else the user's)")
	flags.StringVar(&c.global.tenant, "tenant", "", "tenant that runs belong to")
	flags.BoolVarP(&c.global.verbose, "verbose", "v", false, "log what happens to standard error")
	root.AddGroup(
		&cobra.Group{ID: "run", Title: "Run things:"},
		&cobra.Group{ID: "know", Title: "Know what there is:"},
		&cobra.Group{ID: "operate", Title: "Operate:"},
	)
	root.SetHelpCommandGroupID("know")
	root.SetCompletionCommandGroupID("operate")
	for _, v := range c.verbs() {
		v.command.GroupID = v.group
		root.AddCommand(v.command)
	}
	return root
}

type verb struct {
	group   string
	command *cobra.Command
}

// verbs lists every command, each from its own file.
func (c *command) verbs() []verb {
	return []verb{
		{"run", c.submit()},
		{"run", c.runs()},
		{"run", c.mcp()},
		{"run", c.host()},
		{"know", c.providers()},
		{"know", c.specialists()},
		{"know", c.chains()},
		{"operate", c.dev()},
		{"operate", c.worker()},
		{"operate", c.doctor()},
		{"operate", c.migrate()},
		{"operate", c.projection()},
		{"operate", c.version()},
	}
}

// open loads the configuration and returns the app, once per process.
func (c *command) open() (*app.App, error) {
	if c.app != nil {
		return c.app, nil
	}
	env := c.env()
	cfg, err := config.Load(env.Env, c.flags())
	if err != nil {
		return nil, err
	}
	c.app = app.New(env, cfg)
	if err := c.app.Check(); err != nil {
		return nil, err
	}
	return c.app, nil
}

func (c *command) flags() config.Flags {
	var f config.Flags
	if c.global.config != "" {
		f.Config = &c.global.config
	}
	if c.global.tenant != "" {
		f.Tenant = &c.global.tenant
	}
	return f
}

func (c *command) env() app.Env {
	return app.Env{
		Env: config.Env{
			Lookup: c.process.Lookup, HomeDir: c.process.HomeDir,
			WorkDir: c.process.WorkDir, User: c.process.User,
		},
		Environ: c.process.Environ, Stderr: c.process.Stderr, Log: c.log(),
	}
}

func (c *command) log() *slog.Logger {
	level := slog.LevelError
	if c.global.verbose {
		level = slog.LevelDebug
	}
	return slog.New(slog.NewTextHandler(c.process.Stderr, &slog.HandlerOptions{Level: level}))
}

func (c *command) close() {
	if c.app != nil {
		c.app.Close()
	}
}

func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return usage("unknown command or argument \""+args[0]+"\"", "see `"+cmd.CommandPath()+" --help`")
}
