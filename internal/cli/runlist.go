package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/store"
)

// listing is one `tutti run list` with its flags.
type listing struct {
	*command
	format
	statuses       []string
	chain, backend string
	since          string
	limit          int
	cursor         string
	watch          bool
	noted          bool // it was said what is wrong with the store
}

func (c *command) runList() *cobra.Command {
	l := &listing{command: c}
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List runs, newest first",
		Long: `List runs, newest first, from the mirror. When its store cannot be reached, runs
are read from Temporal itself, at most 50 a page, and standard error says so.`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return l.run(cmd.Context()) },
	}
	l.addAll(cmd)
	f := cmd.Flags()
	f.StringSliceVar(&l.statuses, "status", nil, "only runs of this status (repeatable, or separated by commas)")
	f.StringVar(&l.chain, "chain", "", "only runs of this chain")
	f.StringVar(&l.backend, "backend", "", "only runs executed by inline, provider, host or mixed")
	f.StringVar(&l.since, "since", "", "only runs created since: 24h, 7d, 2026-01-31, or a time like 2026-01-31T12:00:00Z")
	f.IntVar(&l.limit, "limit", store.DefaultLimit, fmt.Sprintf("runs on a page, at most %d", store.MaxLimit))
	f.StringVar(&l.cursor, "cursor", "", "continue after a page, with its nextCursor")
	f.BoolVar(&l.watch, "watch", false, "show the page again whenever it changes, until interrupted")
	complete(cmd, "status", words(run.Statuses())...)
	complete(cmd, "backend", backendWords()...)
	_ = cmd.RegisterFlagCompletionFunc("chain", c.completeChain) // The flag exists.
	return cmd
}

func (l *listing) run(ctx context.Context) error {
	if err := l.check(); err != nil {
		return err
	}
	a, err := l.open()
	if err != nil {
		return err
	}
	query, err := l.query(a.Config.Tenant)
	if err != nil {
		return err
	}
	if l.watch {
		return l.watchPage(ctx, query)
	}
	page, err := l.page(ctx, query)
	if err != nil {
		return err
	}
	return l.print(ctx, page)
}

// query checks the filters.
func (l *listing) query(tenant string) (store.Query, error) {
	q := store.Query{Tenant: tenant, Chain: l.chain, Backend: l.backend, Limit: l.limit, Cursor: l.cursor}
	for _, word := range l.statuses {
		status := run.Status(strings.TrimSpace(word))
		if !slices.Contains(run.Statuses(), status) {
			return q, usage(fmt.Sprintf("unknown status %q", word), "use one of: "+strings.Join(words(run.Statuses()), ", "))
		}
		q.Statuses = append(q.Statuses, status)
	}
	if l.backend != "" && !slices.Contains(backendWords(), l.backend) {
		return q, usage(fmt.Sprintf("unknown backend %q", l.backend), "use one of: "+strings.Join(backendWords(), ", "))
	}
	if l.limit < 1 || l.limit > store.MaxLimit {
		return q, usage(fmt.Sprintf("--limit %d is out of range", l.limit), fmt.Sprintf("use 1 to %d", store.MaxLimit))
	}
	var err error
	q.Since, err = parseSince(l.since, l.now())
	return q, err
}

func backendWords() []string { return append(words(run.Backends()), "mixed") }

func words[S ~string](values []S) []string {
	out := make([]string, 0, len(values))
	for _, v := range values {
		out = append(out, string(v))
	}
	return out
}

// storeTimeout bounds how long a list waits for the mirror before it turns to
// Temporal.
const storeTimeout = 10 * time.Second

// page reads the mirror, or Temporal when the mirror cannot be had.
func (l *listing) page(ctx context.Context, q store.Query) (store.Page, error) {
	asking, cancel := context.WithTimeout(ctx, storeTimeout)
	defer cancel()
	page, err := l.pageFromMirror(asking, q)
	away := errors.Is(err, store.ErrUnavailable) || asking.Err() != nil
	if err == nil || !away || ctx.Err() != nil {
		return page, err
	}
	if !l.noted {
		l.say("note: the store cannot be reached, so this is read from Temporal, run by run; see `tutti doctor`")
	}
	l.noted = true
	return l.pageFromTemporal(ctx, q)
}

func (l *listing) pageFromMirror(ctx context.Context, q store.Query) (store.Page, error) {
	mirror, choice, err := l.app.Store(ctx)
	if err != nil {
		return store.Page{}, err
	}
	page, err := mirror.ListRuns(ctx, q)
	if errors.Is(err, store.ErrCursor) {
		// A cursor of Temporal's list is none here, and a store that is away does
		// not get as far as saying so.
		if away := mirror.Check(ctx); away != nil {
			err = away
		}
	}
	if err == nil && !l.noted {
		for _, warning := range []string{choice.Warning, page.Notice} {
			if warning != "" {
				l.say("warning: %s", warning)
				l.noted = true
			}
		}
	}
	return page, err
}

func (l *listing) pageFromTemporal(ctx context.Context, q store.Query) (store.Page, error) {
	client, err := l.app.Runs(ctx)
	if err != nil {
		return store.Page{}, err
	}
	page, err := client.ListPage(ctx, q)
	if err != nil {
		return store.Page{}, err
	}
	for _, id := range page.Unreadable {
		l.say("warning: the history of run %s cannot be read by this version; see `tutti run show %s`", id, id)
	}
	return page.Page, nil
}

func (l *listing) print(ctx context.Context, page store.Page) error {
	blocked := l.blockedAmong(ctx, page.Runs)
	switch {
	case l.json:
		return l.printJSON(l.encoded(page, blocked))
	case len(page.Runs) == 0:
		l.sayNone(page)
		return nil
	case l.names():
		for i := range page.Runs {
			fmt.Fprintln(l.process.Stdout, page.Runs[i].RunID)
		}
	default:
		if err := l.printRuns(page.Runs, blocked); err != nil {
			return err
		}
	}
	if page.NextCursor != "" {
		l.say("there are more: repeat this with --cursor %s", page.NextCursor)
	}
	return nil
}

func (l *listing) sayNone(page store.Page) {
	switch {
	case page.NextCursor != "":
		l.say("no run on this page matches; look further with --cursor %s", page.NextCursor)
	case len(l.statuses)+len(l.chain)+len(l.backend)+len(l.since)+len(l.cursor) > 0:
		l.say("no run of tenant %s matches; see all with `tutti run list`", l.app.Config.Tenant)
	default:
		l.say("tenant %s has no runs; start one with `tutti submit \"…\"`", l.app.Config.Tenant)
	}
}
