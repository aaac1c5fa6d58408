package sqlite

import (
	"fmt"
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

	replaceRun, insertTask, insertAttempt, closeAttempt, insertPrice string
}

func newStatements() statements {
	s := statements{
		runs: columns.Runs(), tasks: columns.Tasks(),
		attempts: columns.Attempts(), closings: columns.Closings(), prices: columns.Prices(),
	}
	s.replaceRun = insert("insert or replace into runs", columns.Names(s.runs))
	s.insertTask = insert("insert into tasks", columns.Names(s.tasks))
	// What an open attempt does not know yet; its number comes last.
	open := []string{"state", "class", "request_id", "unpriced_calls", "calls_uncertain"}
	s.insertAttempt = strings.Replace(
		insert("insert into model_calls", append(append(columns.Names(s.attempts), "attempt"), open...)),
		strings.Repeat(", ?", len(open))+")", ", 'started', '', '', 0, 0)", 1)
	s.closeAttempt = fmt.Sprintf(`
update model_calls set %s = ?
where tenant_id = ? and run_id = ? and task_id = ? and call = ? and attempt = ?
  and (state = 'started' or state = 'uncertain' and ? <> 'uncertain')`,
		strings.Join(columns.Names(s.closings), " = ?, "))
	s.insertPrice = insert("insert into model_prices", columns.Names(s.prices)) + " on conflict do nothing"
	return s
}

func insert(into string, names []string) string {
	return fmt.Sprintf("%s (%s) values (?%s)", into, strings.Join(names, ", "), strings.Repeat(", ?", len(names)-1))
}
