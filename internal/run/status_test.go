package run

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// declared lists the string values of the constants of a type in a file, so that
// a value which is added to the file and forgotten elsewhere fails a test.
func declared(t *testing.T, file, typeName string) []string {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	require.NoError(t, err)
	var values []string
	for _, decl := range parsed.Decls {
		gen, ok := decl.(*ast.GenDecl)
		if !ok || gen.Tok != token.CONST {
			continue
		}
		for _, spec := range gen.Specs {
			value := spec.(*ast.ValueSpec)
			if id, ok := value.Type.(*ast.Ident); ok && id.Name == typeName {
				values = append(values, strings.Trim(value.Values[0].(*ast.BasicLit).Value, `"`))
			}
		}
	}
	require.NotEmpty(t, values)
	return values
}

func strs[T ~string](list []T) []string {
	out := make([]string, len(list))
	for i, v := range list {
		out[i] = string(v)
	}
	return out
}

func TestEveryDeclaredValueIsListed(t *testing.T) {
	t.Parallel()
	require.ElementsMatch(t, declared(t, "status.go", "Status"), strs(Statuses()))
	require.ElementsMatch(t, declared(t, "status.go", "TaskStatus"), strs(TaskStatuses()))
	require.ElementsMatch(t, declared(t, "execution.go", "ExecutionState"), strs(ExecutionStates()))
	require.ElementsMatch(t, declared(t, "task.go", "Backend"), strs(Backends()))
}

func TestTheTransitionTableKnowsEveryStatusAndAgreesWithIsTerminal(t *testing.T) {
	t.Parallel()
	for _, from := range Statuses() {
		require.Equal(t, from.IsTerminal(), len(runTransitions()[from]) == 0, from)
		reached := false
		for _, other := range Statuses() {
			reached = reached || CanGo(other, from)
		}
		require.True(t, reached || from == Planned, "%s can never be reached", from)
	}
	for _, from := range TaskStatuses() {
		require.Equal(t, from.IsTerminal(), len(taskTransitions()[from]) == 0, from)
		reached := false
		for _, other := range TaskStatuses() {
			reached = reached || TaskCanGo(other, from)
		}
		require.True(t, reached || from == TaskQueued, "%s can never be reached", from)
	}
}

func TestAnImpossibleTransitionIsATypedError(t *testing.T) {
	t.Parallel()
	task := Task{ID: "a", Status: TaskDone}
	var impossible *TransitionError
	require.ErrorAs(t, task.goTo(TaskRunning), &impossible)
	require.Equal(t, "task a cannot go from done to running", impossible.Error())
	record := Record{Status: Completed}
	require.ErrorAs(t, record.goTo(Running), &impossible)
	require.ErrorAs(t, record.Apply(CancelRequested{}, noTime), &impossible, "a terminal run takes no event")
}

func TestEveryBackendHasAnExecutorForErrorsAndASentence(t *testing.T) {
	t.Parallel()
	for _, b := range Backends() {
		require.NotEmpty(t, executorOfError(b), b)
		require.NotEmpty(t, Semantics(string(b)), b)
	}
	require.NotEmpty(t, Semantics("mixed"))
}
