package columns

import (
	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/store"
)

// Run is a row of the table of runs.
type Run struct {
	Snapshot *store.Snapshot
	Encoded  *store.Encoded
}

// Runs lists the columns of the table of runs. The last ones are the mirror's own:
// builder_version and is_terminal serve the sweep, listing and record hold the
// record's JSON, cut to a page's size and whole.
func Runs() []Column[Run] {
	table := []Column[Run]{
		field("tenant_id", Key, func(r *run.Record) any { return r.TenantID }),
		field("run_id", Key, func(r *run.Record) any { return r.RunID }),
		field("principal_id", Text, func(r *run.Record) any { return r.PrincipalID }),
		field("status", Key, func(r *run.Record) any { return string(r.Status) }),
		field("execution_state", Text, func(r *run.Record) any { return string(r.ExecutionState) }),
		field("degraded", Bool, func(r *run.Record) any { return r.Degraded }),
		field("degradation_reasons", Strings, func(r *run.Record) any { return r.DegradationReasons }),
		field("temporal_run_id", Key, func(r *run.Record) any { return r.TemporalRunID }),
		field("last_event_id", Int, func(r *run.Record) any { return r.LastEventID }),
		field("created_at", Time, func(r *run.Record) any { return store.PlaceOf(r).CreatedAt }),
		field("started_at", Time, func(r *run.Record) any { return r.StartedAt }),
		field("updated_at", Time, func(r *run.Record) any { return r.UpdatedAt }),
		field("finished_at", Time, func(r *run.Record) any { return r.FinishedAt }),
		field("request_summary", Text, func(r *run.Record) any { return r.Request.Summary }),
		field("request_sha256", Text, func(r *run.Record) any { return r.Request.SHA256 }),
		field("request_text_sha256", Text, func(r *run.Record) any { return r.Request.TextSHA256 }),
		field("request_text_size", Int, func(r *run.Record) any { return r.Request.TextSize }),
		field("request_attachments", JSON, func(r *run.Record) any { return list(r.Request.Attachments) }),
		field("chain_name", Text, func(r *run.Record) any { return r.Chain.Name }),
		field("chain_version", Text, func(r *run.Record) any { return r.Chain.Version }),
		field("plan_rationale", Text, func(r *run.Record) any { return r.Plan.Rationale }),
		field("worker_backend", Text, func(r *run.Record) any { return r.WorkerBackend }),
		field("host_role", Text, func(r *run.Record) any { return r.HostRole }),
		field("requested_model", Text, func(r *run.Record) any { return r.Execution.RequestedModel }),
		field("selected_provider", Text, func(r *run.Record) any { return r.Execution.SelectedProvider }),
		field("selected_model", Text, func(r *run.Record) any { return r.Execution.SelectedModel }),
		field("resolution_source", Text, func(r *run.Record) any { return r.Execution.ResolutionSource }),
		field("semantics", Text, func(r *run.Record) any { return r.Semantics }),
		field("warnings", Strings, func(r *run.Record) any { return r.Warnings }),
		field("rejected_signals", JSON, func(r *run.Record) any { return list(r.RejectedSignals) }),
		field("more_rejected_signals", Int, func(r *run.Record) any { return r.MoreRejectedSignals }),
		field("raw_bytes", Int, func(r *run.Record) any { return r.RawBytes }),
		field("max_cost_usd", Decimal, func(r *run.Record) any { return r.Budget.MaxCostUSD }),
		field("max_tokens", Int, func(r *run.Record) any { return r.Budget.MaxTokens }),
		field("prompt_format", Int, func(r *run.Record) any { return r.PromptFormat }),
		field("error_code", Text, func(r *run.Record) any { return runError(r).Code }),
		field("error_message", Text, func(r *run.Record) any { return runError(r).Message }),
		field("cancel_requested", Bool, func(r *run.Record) any { return r.CancelRequested }),
		field("is_terminal", Bool, func(r *run.Record) any { return r.Status.IsTerminal() }),
		{"builder_version", Int, func(r *Run) any { return r.Snapshot.Builder }},
		{"listing", Bytes, func(r *Run) any { return r.Encoded.Listing }},
		{"record", Bytes, func(r *Run) any { return r.Encoded.Record }},
	}
	return append(table, usage(func(r *Run) *run.Usage { return &r.Snapshot.Record.Usage })...)
}

func field(name string, kind Kind, value func(*run.Record) any) Column[Run] {
	return Column[Run]{name, kind, func(r *Run) any { return value(&r.Snapshot.Record) }}
}

// usage lists what runs, tasks and attempts all have.
func usage[T any](of func(*T) *run.Usage) []Column[T] {
	return []Column[T]{
		{"input_tokens", Int, func(t *T) any { return of(t).InputTokens }},
		{"cached_input_tokens", Int, func(t *T) any { return of(t).CachedInputTokens }},
		{"cache_write_input_tokens", Int, func(t *T) any { return of(t).CacheWriteInputTokens }},
		{"output_tokens", Int, func(t *T) any { return of(t).OutputTokens }},
		{"reasoning_tokens", Int, func(t *T) any { return of(t).ReasoningTokens }},
		{"cost_usd", Decimal, func(t *T) any { return of(t).CostUSD }},
		{"unpriced_calls", Int, func(t *T) any { return of(t).UnpricedCalls }},
		{"calls_uncertain", Int, func(t *T) any { return of(t).CallsUncertain }},
	}
}

type codeAndMessage struct{ Code, Message string }

func runError(r *run.Record) codeAndMessage {
	if r.Error == nil {
		return codeAndMessage{}
	}
	return codeAndMessage{string(r.Error.Code), r.Error.Message}
}

// list makes an empty list null.
func list[V any](values []V) any {
	if len(values) == 0 {
		return nil
	}
	return values
}
