package run

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/content"
)

func TestEventsSurviveEncoding(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 4, 5, 6, 7, 123456789, time.UTC)
	cost, tokens := "0.000000000000000001", int64(7)
	task := OfTask{TaskID: "reviewer-2"}
	text := content.Of("NUL \x00, quote \", <tag> & snow ☃")
	prompt := PromptInfo{
		Version: "0123456789ab", SHA256: "ff", Truncated: true,
		Ref: &PromptRef{System: text, User: text.Ref()},
	}
	usage := Usage{InputTokens: &tokens, CostUSD: &cost, CallsUncertain: 1}
	plan := Plan{
		Chain: ChainRef{Name: "c", Version: "1"}, PromptFormat: 1,
		Specialists: []PinnedSpecialist{{SpecialistRef: SpecialistRef{Name: "s"}, Prompt: text}},
		Tasks:       []PlannedTask{{ID: "a", Specialist: "s", Backend: BackendInline}},
	}
	events := []Event{
		Started{RunID: "run-1", TenantID: "größe", Request: Request{Text: text.Inline}, Plan: &plan},
		Started{RunID: "run-2"},
		PlanResolved{TenantID: "t", PrincipalID: "p", Plan: plan},
		PlanFailed{Error: RunError{Code: CodeRunInputInvalid, Message: "m"}},
		PlanStopped{},
		TaskScheduled{OfTask: task, Call: 3},
		TaskPromptReady{OfTask: task, Prompt: prompt},
		TaskAnswered{OfTask: task, Output: text, Usage: usage, Meta: &ProviderMeta{Attempts: 2}},
		TaskErrored{OfTask: task, Failure: Failure{Code: CodeAuth, Message: "m"}, Usage: usage},
		HostSubmitted{Submission: Submission{TaskID: "reviewer-2", Outcome: OutcomeDone, Output: text}, Signal: true},
		SignalUnreadable{},
		HostClaimed{Claim: ClaimRequest{TaskID: "reviewer-2", Holder: "alice/cli"}},
		ContentStored{OfTask: task, Text: text.Ref()},
		ContentDeferred{OfTask: task},
		TaskUnclaimed{OfTask: task},
		QueueInspected{OfTask: task, Pollers: 2},
		TaskResumed{OfTask: task},
		TimerSet{OfTask: task, ResumeAt: at},
		TaskStopped{OfTask: task, Usage: usage},
		TaskPassedOver{OfTask: task, Reason: SkipUpstreamFailed},
		CancelRequested{},
		Closed{},
		Ended{Error: RunError{Code: CodeRunTerminated, Message: "by alice"}},
	}
	seen := make(map[string]bool)
	for i, e := range events {
		want := Stamped{Event: e, EventID: int64(i), At: at}
		if i == 0 {
			want.At = time.Time{} // what the workflow stamps
		}
		raw, err := EncodeEvent(want)
		require.NoError(t, err)
		got, err := DecodeEvent(raw)
		require.NoError(t, err)
		require.Equal(t, want, got)
		seen[TypeOf(e)] = true
	}
	require.Len(t, seen, len(decoders()), "every type has an example above")
}

// TestEveryEventTypeHasADecoder reads the declarations: a type that embeds
// ofRun or OfTask is an event, and one that the codec forgets could be applied
// but never read back from a store.
func TestEveryEventTypeHasADecoder(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("*.go")
	require.NoError(t, err)
	declared := 0
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		ast.Inspect(file, func(n ast.Node) bool {
			if body, ok := n.(*ast.StructType); ok && embedsEvent(body) {
				declared++
			}
			return true
		})
	}
	require.Positive(t, declared)
	require.Len(t, decoders(), declared)
	require.NotContains(t, decoders(), "unknown")
}

func embedsEvent(body *ast.StructType) bool {
	for _, field := range body.Fields.List {
		name, ok := field.Type.(*ast.Ident)
		if len(field.Names) == 0 && ok && (name.Name == "ofRun" || name.Name == "OfTask") {
			return true
		}
	}
	return false
}

type strangerEvent struct{ ofRun }

func TestEventCodecRefuses(t *testing.T) {
	t.Parallel()
	_, err := EncodeEvent(Stamped{Event: strangerEvent{}})
	require.ErrorContains(t, err, "unknown type run.strangerEvent")
	for raw, why := range map[string]string{
		`{`:                                     "unexpected end",
		`{"type":"tea-served","event":{}}`:      `unknown type "tea-served"`,
		`{"type":"task-scheduled","event":"x"}`: "decode task-scheduled",
	} {
		_, err := DecodeEvent([]byte(raw))
		require.ErrorContains(t, err, why)
	}
}
