package provider

import "slices"

// rule recognises one kind of refusal. It applies when the status is in statuses
// (none means any) and one of its tokens stands in the body as a type or code, or
// one of its phrases in the prose. A phrase "a & b" needs both parts.
type rule struct {
	class    Class
	statuses []int
	tokens   []string
	phrases  []string
	// longQuota marks a quota that counts by days: it is only a rate limit when the
	// provider itself says that a short wait is enough.
	longQuota bool
}

// noStatus stands for an error inside a 2xx that names no status.
const noStatus = 0

// refusalRules are tried in order; the first that applies decides. What comes
// under many statuses comes first, what a status alone says is in statusClass.
func refusalRules() []rule {
	return slices.Concat(filterRules(), quotaRules(), sizeRules(), accessRules(), capacityRules())
}

func filterRules() []rule {
	return []rule{
		{class: Refusal, tokens: []string{"refusal"}},
		{class: ContentFiltered, tokens: []string{
			"content_filter", "content_filtered", "content_policy_violation", "responsible_ai_policy_violation",
			"data_inspection_failed", "content_moderation", "moderation_blocked", "prohibited_content", "safety",
			"content_blocked", "sensitive_words_detected", "inappropriate_content", "invalid_prompt",
			"flagged_input", "guardrail_intervened", "unsafe_content", "minimax_1026", "minimax_1027",
		}, phrases: []string{
			"content management policy", "content filtering policy", "flagged as potentially violating",
			"violates our usage polic", "violating our usage polic", "violates our content polic",
			"rejected by the safety system", "rejected as a result of our safety system", "inappropriate content",
			"responsible ai polic", "requires moderation & flagged", "input was flagged", "prompt was flagged",
			"data_inspection_failed",
		}},
	}
}

func quotaRules() []rule {
	return []rule{
		{class: RateLimited, tokens: []string{"openrouter_in_flight_budget"}, phrases: []string{"in-flight & budget"}},
		{class: RequestTooLarge, statuses: []int{413}},
		{class: RequestTooLarge, statuses: []int{429}, phrases: []string{"request too large"}},
		{class: InsufficientQuota, tokens: []string{
			"insufficient_quota", "insufficient_user_quota", "insufficient_balance", "insufficient_balance_error",
			"insufficient_credits", "billing_error", "billing_not_active", "billing_hard_limit_reached",
			"project_spend_limit_exceeded", "organization_spend_limit_exceeded", "enforced_spend_limit_reached",
			"contract_spend_limit_reached", "linked_organization_spend_limit_reached", "payment_required",
			"credit_balance_too_low", "budget_exceeded", "arrearage", "out_of_credits", "credits_exhausted", "minimax_1008",
		}, phrases: []string{
			"insufficient balance", "insufficient_balance", "insufficient credit", "insufficient fund", "insufficient_quota",
			"credit balance", "available credits", "any credits", "out of credits", "enough credits", "requires more credits",
			"spending limit", "spend limit", "spending cap", "monthly limit", "monthly usage limit", "billing hard limit", "payment required",
			"can only afford", "account is overdue", "in arrears", "extra usage is required", "balance is too low", "budget has been exceeded",
		}},
		{class: InsufficientQuota, phrases: []string{"perday", "per-day"}},
		{class: RateLimited, statuses: []int{429, noStatus}, phrases: []string{"perminute", "per minute", "per-min", "per min "}},
		{class: InsufficientQuota, longQuota: true, phrases: []string{
			"per day", "(rpd)", "(tpd)", "daily limit", "daily quota", "weekly limit", "exceeded your current quota",
			"check your plan and billing", "quota has been exhausted",
		}},
	}
}

func sizeRules() []rule {
	fits := []int{400, 413, 422, 500, noStatus}
	return []rule{
		{class: ContextLengthExceeded, statuses: fits, tokens: []string{
			"context_length_exceeded", "exceed_context_size_error", "model_context_window_exceeded",
			"context_window_exceeded", "prompt_too_long", "input_too_long",
		}, phrases: []string{
			"maximum context length", "context length", "context window", "context size", "context limit",
			"prompt is too long", "input is too long", "maximum prompt length", "too many tokens",
			"token count & exceeds", "maximum number of tokens", "reduce the length", "range of input length",
			"inputs & must have less than & tokens",
		}},
		{class: RequestTooLarge, tokens: []string{
			"request_too_large", "payload_too_large", "request_body_too_large_after_decoding", "string_above_max_length",
		}, phrases: []string{
			"request too large", "request entity too large", "payload too large", "body is too large",
			"exceeds the maximum size", "maximum request size",
		}},
	}
}

func accessRules() []rule {
	refused := []int{400, 403, 404, 410, 422, 500, noStatus}
	return []rule{
		{class: ModelNotFound, statuses: refused, tokens: []string{
			"model_not_found", "deployment_not_found", "model_not_available", "unknown_model", "invalid_model",
			"model_deprecated", "model_decommissioned", "unsupported_model", "no_such_model",
		}, phrases: []string{
			"model & not found", "model & does not exist", "deployment & does not exist", "not a valid model",
			"no endpoints", "unknown model", "no such model", "invalid model", "model & decommissioned",
			"model & has been deprecated", "model & not available", "not_found_error & model:", "model & not exist",
		}},
		{class: Auth, statuses: []int{400, 401, 403, 404, 500, noStatus}, tokens: []string{
			"invalid_api_key", "incorrect_api_key", "api_key_invalid", "missing_api_key", "authentication_error",
			"invalid_authentication", "permission_error", "permission_denied", "unauthorized", "unauthenticated",
			"access_denied", "account_deactivated", "token_not_found_in_db", "expired_key", "key_expired",
			"ip_not_authorized", "unsupported_country_region_territory", "organization_on_hold", "invalid_token",
			"minimax_1004", "minimax_2049",
		}, phrases: []string{
			"api key not valid", "invalid api key", "invalid_api_key", "incorrect api key", "api key is invalid",
			"invalid x-api-key", "no auth credentials", "authentication fail", "authentication error", "missing authentication", "api key expired",
		}},
	}
}

func capacityRules() []rule {
	unwell := []int{408, 425, 498, 500, 502, 503, 504, 520, 521, 522, 523, 524, 529, 530, noStatus}
	return []rule{
		{class: Overloaded, statuses: unwell, tokens: []string{
			"overloaded_error", "overloaded", "server_is_overloaded", "engine_overloaded", "engine_overloaded_error",
			"model_overloaded", "capacity_exceeded", "slow_down", "no_capacity", "unavailable_error", "minimax_1033",
		}, phrases: []string{
			"overloaded", "at capacity", "over capacity", "capacity exceeded", "loading model", "currently loading",
			"high demand", "no healthy upstream", "server is busy", "no available channel",
		}},
		{class: RateLimited, statuses: append([]int{400, 403, 409, 429}, unwell...), tokens: []string{
			"rate_limit_exceeded", "rate_limit_error", "rate_limited", "rate_limit", "too_many_requests",
			"throttling", "throttling_exception", "throttled", "minimax_1002", "minimax_1039",
		}, phrases: []string{"rate limit", "rate-limit", "too many requests", "throttling", "concurrency limit"}},
		{class: Timeout, statuses: unwell, tokens: []string{
			"timeout", "timeout_error", "gateway_timeout", "deadline_exceeded", "request_timeout", "request_body_timeout", "minimax_1001",
		}, phrases: []string{"timed out", "gateway timeout", "gateway time-out", "deadline exceeded", "upstream request timeout"}},
		{class: Overloaded, statuses: []int{502, 503, noStatus}, tokens: []string{
			"service_unavailable", "service_unavailable_error", "unavailable",
		}, phrases: []string{"service unavailable", "temporarily unavailable"}},
		{class: ServerError, statuses: []int{noStatus}, tokens: []string{
			"server_error", "api_error", "internal_error", "internal_server_error", "internal", "upstream_error",
			"provider_error", "bad_gateway", "minimax_1000", "minimax_1013",
		}, phrases: []string{"internal server error", "internal error", "bad gateway", "provider returned error", "upstream"}},
	}
}

// statusClass is what a status says when nothing in the body said more.
func statusClass(status int) Class {
	switch status {
	case 401, 403, 407:
		return Auth
	case 402:
		return InsufficientQuota
	case 408, 504, 522, 524:
		return Timeout
	case 413, 414, 431:
		return RequestTooLarge
	case 410:
		return ModelNotFound
	case 429:
		return RateLimited
	case 425, 498, 503, 529:
		return Overloaded
	case 499:
		return ConnectionReset
	}
	if status >= 500 && status < 600 {
		return ServerError
	}
	return BadRequest
}
