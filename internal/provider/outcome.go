package provider

import "time"

// Outcome is what one attempt came to. Only a success has Text; every other
// member may stand in telemetry, because each was checked by a Guard.
type Outcome struct {
	Class Class `json:"class"`
	// Text is the answer, with reasoning removed. Empty unless Class.Success.
	Text string `json:"text,omitempty"`
	// Reasoning is set only when the request asked to surface it and the call
	// succeeded.
	Reasoning string `json:"reasoning,omitempty"`
	// ReasoningReturned says that the model sent reasoning, kept or not.
	ReasoningReturned bool  `json:"reasoningReturned"`
	Usage             Usage `json:"usage"`
	// ResolvedModel is the model that the provider says it used.
	ResolvedModel      string `json:"resolvedModel,omitempty"`
	FinishReason       string `json:"finishReason,omitempty"`
	NativeFinishReason string `json:"nativeFinishReason,omitempty"`
	RequestID          string `json:"requestId,omitempty"`
	// Status is the HTTP status; 0 when no response came.
	Status int `json:"status,omitempty"`
	// ErrType and ErrCode are the provider's short tokens for a failure, or our
	// own for a failure without a response (connection_refused).
	ErrType string `json:"errType,omitempty"`
	ErrCode string `json:"errCode,omitempty"`
	// RetryAfter is the wait that the provider advised, as it gave it, however
	// long; nil when it gave none. A given zero is a zero.
	RetryAfter *time.Duration `json:"retryAfter,omitempty"`
	// ShouldRetry is the x-should-retry header; nil when it was absent.
	ShouldRetry *bool         `json:"shouldRetry,omitempty"`
	Elapsed     time.Duration `json:"elapsed"`
}

// NotSent is the outcome of a request that was found wrong before anything was
// sent. The code is one of our own tokens.
func NotSent(code string) Outcome {
	return Outcome{Class: BadRequest, ErrType: "not_sent", ErrCode: code}
}

// Answer is the outcome of a call that needed no network.
func Answer(text, model string, usage Usage) Outcome {
	return Outcome{Class: OK, Text: text, ResolvedModel: model, FinishReason: "stop", Usage: usage}
}

// Truncated says whether the text was cut by the model's output ceiling.
func (o Outcome) Truncated() bool { return o.Class == Truncated }

// Code is the error code; empty for a success.
func (o Outcome) Code() string { return o.Class.Code() }

// Retryable says whether another attempt can help. A provider that says
// x-should-retry: false is believed.
func (o Outcome) Retryable() bool {
	if o.ShouldRetry != nil && !*o.ShouldRetry {
		return false
	}
	return o.Class.Transient()
}
