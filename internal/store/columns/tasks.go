package columns

import "github.com/tutti-dev/tutti/internal/run"

// Task is a row of the table of tasks.
type Task struct {
	Tenant, RunID string
	*run.Task
}

// TaskRows returns a record's tasks as rows.
func TaskRows(r *run.Record) []Task {
	rows := make([]Task, len(r.Tasks))
	for i := range r.Tasks {
		rows[i] = Task{Tenant: r.TenantID, RunID: r.RunID, Task: &r.Tasks[i]}
	}
	return rows
}

// Tasks lists the columns of the table of tasks.
func Tasks() []Column[Task] {
	table := []Column[Task]{
		{"tenant_id", Key, func(t *Task) any { return t.Tenant }},
		{"run_id", Key, func(t *Task) any { return t.RunID }},
		{"id", Key, func(t *Task) any { return t.ID }},
		{"seq", Int, func(t *Task) any { return t.Seq }},
		{"specialist_name", Text, func(t *Task) any { return t.Specialist.Name }},
		{"specialist_id", Text, func(t *Task) any { return t.Specialist.ID }},
		{"specialist_version", Text, func(t *Task) any { return t.Specialist.Version }},
		{"needs", Strings, func(t *Task) any { return t.Needs }},
		{"tools", Strings, func(t *Task) any { return t.Tools }},
		{"reason", Text, func(t *Task) any { return t.Reason }},
		{"backend", Text, func(t *Task) any { return string(t.Backend) }},
		{"status", Key, func(t *Task) any { return string(t.Status) }},
		{"skip_reason", Text, func(t *Task) any { return string(t.SkipReason) }},
		{"executor", Text, func(t *Task) any { return t.Executor }},
		{"execution_state", Text, func(t *Task) any { return string(t.ExecutionState) }},
		{"degradations", JSON, func(t *Task) any { return list(t.Degradations) }},
		{"prompt_version", Text, func(t *Task) any { return t.PromptVersion }},
		{"prompt_sha256", Text, func(t *Task) any { return t.PromptSHA256 }},
		{"prompt_truncated", Bool, func(t *Task) any { return t.PromptTruncated }},
		{"output", Text, func(t *Task) any { return t.Output }},
		{"output_sha256", Text, func(t *Task) any { return t.OutputSHA256 }},
		{"output_size", Int, func(t *Task) any { return t.OutputSize }},
		{"output_kept", Bool, func(t *Task) any { return t.OutputKept }},
		{"reasoning", Text, func(t *Task) any { return t.Reasoning }},
		{"reasoning_sha256", Text, func(t *Task) any { return t.ReasoningSHA256 }},
		{"reasoning_size", Int, func(t *Task) any { return t.ReasoningSize }},
		{"truncated", Bool, func(t *Task) any { return t.Truncated }},
		{"error_code", Text, func(t *Task) any { return string(failure(t).Code) }},
		{"error_class", Text, func(t *Task) any { return failure(t).Class }},
		{"error_message", Text, func(t *Task) any { return failure(t).Message }},
		{"error_remediation", Text, func(t *Task) any { return failure(t).Remediation }},
		{"error_attempts", Int, func(t *Task) any { return failure(t).Attempts }},
		{"error_retry_after_ms", Int, func(t *Task) any { return failure(t).RetryAfterMS }},
		{"parked_for", Text, func(t *Task) any { return string(t.ParkedFor) }},
		{"resume_at", Time, func(t *Task) any { return t.ResumeAt }},
		{"provenance_source", Text, func(t *Task) any { return t.ProvenanceSource }},
		{"provider", Text, func(t *Task) any { return t.Provider }},
		{"model", Text, func(t *Task) any { return t.Model }},
		{"provider_meta", JSON, func(t *Task) any { return pointed(t.ProviderMeta) }},
		{"warnings", Strings, func(t *Task) any { return t.Warnings }},
		{"host_role", Text, func(t *Task) any { return host(t).Role }},
		{"host_client_name", Text, func(t *Task) any { return host(t).ClientName }},
		{"host_client_version", Text, func(t *Task) any { return host(t).ClientVersion }},
		{"host_session", Text, func(t *Task) any { return host(t).Session }},
		{"host_model_source", Text, func(t *Task) any { return host(t).ModelSource }},
		{"host_claimed_by", Text, func(t *Task) any { return host(t).ClaimedBy }},
		{"host_claim_token", Int, func(t *Task) any { return host(t).ClaimToken }},
		{"host_claim_expires_at", Time, func(t *Task) any { return host(t).ClaimExpires }},
		{"host_awaiting_since", Time, func(t *Task) any { return host(t).AwaitingSince }},
		{"host_result_sha256", Text, func(t *Task) any { return host(t).ResultSHA256 }},
		{"host_submission_id", Text, func(t *Task) any { return host(t).SubmissionID }},
		{"charge_cost_usd", Decimal, func(t *Task) any { return amount(t.Charge.CostUSD) }},
		{"charge_tokens", Int, func(t *Task) any { return t.Charge.Tokens }},
		{"calls", Int, func(t *Task) any { return t.Calls }},
		{"started_at", Time, func(t *Task) any { return t.StartedAt }},
		{"finished_at", Time, func(t *Task) any { return t.FinishedAt }},
	}
	return append(table, usage(func(t *Task) *run.Usage { return &t.Usage })...)
}

func failure(t *Task) run.Failure {
	if t.Error == nil {
		return run.Failure{}
	}
	return *t.Error
}

func host(t *Task) run.Host {
	if t.Host == nil {
		return run.Host{}
	}
	return *t.Host
}

// amount is a decimal that may be absent.
func amount(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
