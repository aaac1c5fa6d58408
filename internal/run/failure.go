package run

// Code is a stable error code; docs/errors.md and contracts fix the set.
type Code string

// The codes that can stand on a task or a run.
const (
	CodeRateLimited       Code = "PROVIDER_RATE_LIMITED"
	CodeServerError       Code = "PROVIDER_SERVER_ERROR"
	CodeTimeout           Code = "PROVIDER_TIMEOUT"
	CodeWorkerLost        Code = "WORKER_LOST"
	CodeContent           Code = "CONTENT_UNAVAILABLE"
	CodeAuth              Code = "PROVIDER_AUTH_ERROR"
	CodeNoCredits         Code = "PROVIDER_NO_CREDITS"
	CodeFiltered          Code = "PROVIDER_CONTENT_FILTERED"
	CodeReasoningOnly     Code = "PROVIDER_REASONING_ONLY"
	CodeEmptyContent      Code = "PROVIDER_EMPTY_CONTENT"
	CodeMalformed         Code = "PROVIDER_MALFORMED_RESPONSE"
	CodeExecutionFailed   Code = "PROVIDER_EXECUTION_FAILED"
	CodeKeyMissing        Code = "PROVIDER_KEY_MISSING"
	CodeModelUnresolved   Code = "PROVIDER_MODEL_UNRESOLVED"
	CodeBudget            Code = "PROVIDER_BUDGET_EXCEEDED"
	CodeSpecialist        Code = "SPECIALIST_UNAVAILABLE"
	CodeChainInvalid      Code = "CHAIN_INVALID"
	CodeHostTimeout       Code = "HOST_RESULT_TIMEOUT"
	CodeHostFailure       Code = "HOST_REPORTED_FAILURE"
	CodePromptMismatch    Code = "PROMPT_MISMATCH"
	CodePayloadTooLarge   Code = "PAYLOAD_TOO_LARGE"
	CodeTransactionOpen   Code = "TRANSACTION_OPEN"
	CodeInternal          Code = "INTERNAL"
	CodeRunInputInvalid   Code = "RUN_INPUT_INVALID"
	CodeRunTerminated     Code = "RUN_TERMINATED"
	CodeRunTimedOut       Code = "RUN_TIMED_OUT"
	CodeIdempotencyKey    Code = "IDEMPOTENCY_KEY_CONFLICT"
	CodeRunNotFound       Code = "RUN_NOT_FOUND"
	CodeTaskNotFound      Code = "TASK_NOT_FOUND"
	CodeRunAlreadyEnded   Code = "RUN_ALREADY_TERMINAL"
	CodeTaskNotAwaiting   Code = "TASK_NOT_AWAITING_HOST"
	CodeHostResultInvalid Code = "HOST_RESULT_INVALID"
	CodeHostRecorded      Code = "HOST_RESULT_ALREADY_RECORDED"
	CodeHostEmpty         Code = "HOST_RESULT_EMPTY_OUTPUT"
	CodeHostTooLarge      Code = "HOST_RESULT_TOO_LARGE"
	CodeHostClaimLost     Code = "HOST_CLAIM_LOST"
	CodeHostClaimHeld     Code = "HOST_CLAIM_HELD"
	CodeHostPrompt        Code = "HOST_PROMPT_MISMATCH"
	CodeUnreachable       Code = "PLATFORM_UNREACHABLE"
)

// Failure is why a task has no result: for code the code, for the user one
// sentence and the next step. It holds no provider prose and no secret.
type Failure struct {
	Code         Code   `json:"code"`
	Class        string `json:"class,omitempty"`
	Message      string `json:"message"`
	Remediation  string `json:"remediation,omitempty"`
	Attempts     int    `json:"attempts,omitempty"`
	RetryAfterMS *int64 `json:"retryAfterMs,omitempty"`
}
