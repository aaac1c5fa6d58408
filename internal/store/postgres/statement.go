package postgres

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tutti-dev/tutti/internal/ledger"
	"github.com/tutti-dev/tutti/internal/store/columns"
)

// statements are the statements that are made from the tables of columns.
type statements struct {
	runs     []columns.Column[columns.Run]
	tasks    []columns.Column[columns.Task]
	attempts []columns.Column[ledger.Attempt]
	closings []columns.Column[ledger.Closing]
	prices   []columns.Column[ledger.PriceRow]

	upsertRun, insertTask, insertAttempt, closeAttempt, insertPrice string
}

func newStatements() statements {
	s := statements{
		runs: columns.Runs(), tasks: columns.Tasks(),
		attempts: columns.Attempts(), closings: columns.Closings(), prices: columns.Prices(),
	}
	s.upsertRun = upsert("tutti.runs", columns.Names(s.runs), "tenant_id", "run_id")
	s.insertTask = insert("tutti.tasks", columns.Names(s.tasks))
	s.insertAttempt = insertAttempt(columns.Names(s.attempts))
	s.closeAttempt = closeAttempt(columns.Names(s.closings))
	s.insertPrice = insert("tutti_kept.model_prices", columns.Names(s.prices)) + " on conflict do nothing"
	return s
}

func insert(table string, names []string) string {
	return fmt.Sprintf("insert into %s (%s) values (%s)",
		table, strings.Join(names, ", "), strings.Join(parameters(len(names)), ", "))
}

func upsert(table string, names []string, key ...string) string {
	var sets []string
	for _, name := range names {
		if !slices.Contains(key, name) {
			sets = append(sets, name+" = excluded."+name)
		}
	}
	return fmt.Sprintf("%s on conflict (%s) do update set %s",
		insert(table, names), strings.Join(key, ", "), strings.Join(sets, ", "))
}

// insertAttempt numbers the attempt within its call. Whoever takes the same
// number at the same time, or comes with a source that is there, inserts nothing.
func insertAttempt(names []string) string {
	values := strings.Join(parameters(len(names)), ", ")
	return fmt.Sprintf(`
insert into tutti_kept.model_calls
  (%s, state, class, request_id, unpriced_calls, calls_uncertain, attempt)
values
  (%s, 'started', '', '', 0, 0,
   (select coalesce(max(attempt), 0) + 1 from tutti_kept.model_calls
    where tenant_id = $1 and run_id = $2 and task_id = $3 and call = $4))
on conflict do nothing`, strings.Join(names, ", "), values)
}

// closeAttempt takes the key after the columns' values, of which the state is the first.
func closeAttempt(names []string) string {
	sets := make([]string, len(names))
	for i, parameter := range parameters(len(names)) {
		sets[i] = names[i] + " = " + parameter
	}
	n := len(names)
	return fmt.Sprintf(`
update tutti_kept.model_calls set %s
where tenant_id = $%d and run_id = $%d and task_id = $%d and call = $%d and attempt = $%d
  and (state = 'started' or state = 'uncertain' and $1 <> 'uncertain')`,
		strings.Join(sets, ", "), n+1, n+2, n+3, n+4, n+5)
}

func parameters(n int) []string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf("$%d", i+1)
	}
	return list
}
