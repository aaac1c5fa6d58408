package provider

// Class says what became of one attempt. Every attempt that was not cancelled
// by its caller has exactly one.
type Class string

// The classes. Each belongs to one error code and is transient or not; the
// table below says which.
const (
	// OK: usable text came, and the model said that it had finished.
	OK Class = "ok"
	// Truncated: text came, but the model ran out of room. The text is kept and
	// marked; asking again would run out of room again.
	Truncated Class = "truncated"

	// EmptyContent: a 2xx with nothing visible in it, not even reasoning.
	EmptyContent Class = "empty_content"
	// ReasoningOnly: the model reasoned and never answered, whether or not
	// reasoning was asked for. The usual cause is an output ceiling that the
	// reasoning used up.
	ReasoningOnly Class = "reasoning_only"
	// Refusal: the model itself declined.
	Refusal Class = "refusal"
	// ContentFiltered: a filter in front of or behind the model declined, under
	// whatever status.
	ContentFiltered Class = "content_filtered"
	// ToolCallsOnly: the turn ended without text because the model wants a tool.
	ToolCallsOnly Class = "tool_calls_only"
	// Paused: the provider interrupted a long turn and expects to be asked to
	// go on. What came so far is not an answer.
	Paused Class = "paused"
	// MalformedBody: a 2xx whose body is not the promised shape.
	MalformedBody Class = "malformed_body"
	// ResponseTooLarge: the body passed the read cap and was not read to its end.
	ResponseTooLarge Class = "response_too_large"

	// Auth: the credential is wrong, missing, or not allowed to do this.
	Auth Class = "auth"
	// InsufficientQuota: money or a long quota is used up, under whatever
	// status. Waiting seconds does not help.
	InsufficientQuota Class = "insufficient_quota"
	// RateLimited: too fast. Waiting helps.
	RateLimited Class = "rate_limited"
	// Overloaded: the provider is up and has no capacity at the moment.
	Overloaded Class = "overloaded"
	// ServerError: the provider failed, also when it says so inside a 200.
	ServerError Class = "server_error"
	// Timeout: our deadline struck, before or in the body, or a gateway's did.
	Timeout Class = "timeout"
	// ConnectionReset: the connection died, or never came to be, before a whole
	// answer was here.
	ConnectionReset Class = "connection_reset"

	// ContextLengthExceeded: the prompt and the output ceiling do not fit the
	// model's window.
	ContextLengthExceeded Class = "context_length_exceeded"
	// RequestTooLarge: the request is over a size that the provider accepts.
	RequestTooLarge Class = "request_too_large"
	// ModelNotFound: there is no such model or deployment for this credential.
	ModelNotFound Class = "model_not_found"
	// BadRequest: any other refusal of the request, a redirect among them, which
	// is never followed.
	BadRequest Class = "bad_request"
)

// The error codes that classes map to, and those of failures before a call.
const (
	CodeRateLimited       = "PROVIDER_RATE_LIMITED"
	CodeServerError       = "PROVIDER_SERVER_ERROR"
	CodeTimeout           = "PROVIDER_TIMEOUT"
	CodeAuthError         = "PROVIDER_AUTH_ERROR"
	CodeNoCredits         = "PROVIDER_NO_CREDITS"
	CodeContentFiltered   = "PROVIDER_CONTENT_FILTERED"
	CodeReasoningOnly     = "PROVIDER_REASONING_ONLY"
	CodeEmptyContent      = "PROVIDER_EMPTY_CONTENT"
	CodeMalformedResponse = "PROVIDER_MALFORMED_RESPONSE"
	CodeExecutionFailed   = "PROVIDER_EXECUTION_FAILED"
	CodeKeyMissing        = "PROVIDER_KEY_MISSING"
	CodeModelUnresolved   = "PROVIDER_MODEL_UNRESOLVED"
	CodeTransactionOpen   = "TRANSACTION_OPEN"
)

type classRow struct {
	class     Class
	code      string
	transient bool
	// says completes the sentence "<provider> …" in an error message.
	says string
}

func classTable() []classRow {
	return []classRow{
		{OK, "", false, "answered"},
		{Truncated, "", false, "answered, but ran out of room"},
		{EmptyContent, CodeEmptyContent, false, "returned an answer with nothing visible in it"},
		{ReasoningOnly, CodeReasoningOnly, false, "returned reasoning but no answer"},
		{Refusal, CodeContentFiltered, false, "reports that the model declined to answer"},
		{ContentFiltered, CodeContentFiltered, false, "stopped the request or its answer with a content filter"},
		{ToolCallsOnly, CodeEmptyContent, false, "returned only tool calls and no answer"},
		{Paused, CodeEmptyContent, false, "paused the turn before it had an answer"},
		{MalformedBody, CodeMalformedResponse, false, "returned a body that is not a completion"},
		{ResponseTooLarge, CodeMalformedResponse, false, "returned more than 8 MiB, which is over the limit for an answer"},
		{Auth, CodeAuthError, false, "did not accept the credential"},
		{InsufficientQuota, CodeNoCredits, false, "reports that credit or quota is used up"},
		{RateLimited, CodeRateLimited, true, "is limiting the rate of requests"},
		{Overloaded, CodeServerError, true, "has no capacity at the moment"},
		{ServerError, CodeServerError, true, "failed on its side"},
		{Timeout, CodeTimeout, true, "did not answer in time"},
		{ConnectionReset, CodeServerError, true, "could not be reached, or the connection broke before the whole answer was here"},
		{ContextLengthExceeded, CodeExecutionFailed, false, "refused the prompt: it does not fit the model's context window"},
		{RequestTooLarge, CodeExecutionFailed, false, "refused the request: it is too large"},
		{ModelNotFound, CodeExecutionFailed, false, "does not offer this model to this credential"},
		{BadRequest, CodeExecutionFailed, false, "refused the request"},
	}
}

func (c Class) row() classRow {
	for _, r := range classTable() {
		if r.class == c {
			return r
		}
	}
	return classRow{class: c, code: CodeExecutionFailed, says: "answered in a way that tutti does not know"}
}

// Classes lists every class, successes first.
func Classes() []Class {
	table := classTable()
	list := make([]Class, len(table))
	for i, r := range table {
		list[i] = r.class
	}
	return list
}

// Code is the error code of the class; empty for a success.
func (c Class) Code() string { return c.row().code }

// Transient says whether the same request can succeed a little later.
func (c Class) Transient() bool { return c.row().transient }

// Success says whether there is text to keep.
func (c Class) Success() bool { return c == OK || c == Truncated }
