package provider

import (
	"fmt"
	"strconv"
	"strings"
)

// MaxMessageBytes bounds a stored message.
const MaxMessageBytes = 1 << 10

// Message says in one sentence of our own what became of the call. It holds no
// provider prose: besides our words there are the provider's configured name, the
// status, short tokens and the request ID.
func (o Outcome) Message(providerName string) string {
	name := Clean(providerName)
	if name == "" {
		name = "the provider"
	}
	text := name + " " + o.sentence()
	if details := o.details(); details != "" {
		text += " (" + details + ")"
	}
	return strings.ToValidUTF8(text[:min(len(text), MaxMessageBytes)], "")
}

func (o Outcome) sentence() string {
	switch {
	case o.ErrType == "not_sent":
		return "was not asked: the request cannot be sent as it is"
	case o.Class == BadRequest && o.ErrType == "transport":
		return "was not asked: no trusted connection could be made"
	case o.Status >= 300 && o.Status < 400:
		return "answered with a redirect, which is never followed"
	}
	return o.Class.row().says
}

func (o Outcome) details() string {
	var parts []string
	add := func(name, value string) {
		if value != "" {
			parts = append(parts, name+" "+value)
		}
	}
	if o.Status != 0 {
		add("status", strconv.Itoa(o.Status))
	}
	if o.ErrType != "not_sent" && o.ErrType != "transport" {
		add("type", o.ErrType)
	}
	if o.ErrCode != o.ErrType && o.ErrCode != strconv.Itoa(o.Status) {
		add("code", o.ErrCode)
	}
	if !o.Class.Success() && o.Status >= 200 && o.Status < 300 {
		add("finish reason", o.FinishReason)
	}
	if o.RetryAfter != nil {
		add("advised wait", fmt.Sprint(*o.RetryAfter))
	}
	add("request", o.RequestID)
	return strings.Join(parts, ", ")
}

// HostInstead is the way that needs no key at all: the agent session that the user
// is in executes the prompts itself.
const HostInstead = "let your own agent session do the work, without a key: submit again with --backend host, then run `tutti host next`"

// Remediation says what to do next about a class; empty for a success. keySource
// is KeySource.Describe of where the provider's key is; it may be empty.
func Remediation(c Class, providerName, keySource string) string {
	switch c {
	case OK, Truncated:
		return ""
	case Auth:
		return remediationOfKey(providerName, keySource)
	case InsufficientQuota:
		return remediationOfCredit(providerName, keySource)
	case RateLimited:
		return "submit again later, or lower the provider's concurrency or callsPerSecond in the configuration"
	case Overloaded, ServerError:
		return "submit again later, or choose another model or provider"
	case Timeout:
		return fmt.Sprintf("submit again, raise the timeout of provider %s, or ask for a shorter answer", providerName)
	case ConnectionReset:
		return fmt.Sprintf("check the base URL of provider %s and the network between it and the worker, then submit again", providerName)
	}
	return remediationOfAnswer(c, providerName)
}

// remediationOfKey says where a better key has to stand.
func remediationOfKey(providerName, keySource string) string {
	where := fmt.Sprintf("provider %s was asked without a key: name the place of one by apiKeyEnv, keyFile or keyCommand under providers.%s in the worker's tutti.yaml", providerName, providerName)
	if keySource != "" {
		where = fmt.Sprintf("put a key of provider %s that may use this model into %s where the worker runs (after a change of a variable, restart the worker)", providerName, keySource)
	}
	return fmt.Sprintf("%s; `tutti provider check %s` tells whether it works, then submit again; or %s", where, providerName, HostInstead)
}

// remediationOfCredit names the account by the place of its key.
func remediationOfCredit(providerName, keySource string) string {
	if keySource == "" {
		return fmt.Sprintf("add credit to the account at provider %s or raise its limit, then submit again; or choose another provider with --provider; or %s", providerName, HostInstead)
	}
	return fmt.Sprintf("add credit to the account at provider %s whose key is in %s or raise its limit, or put the key of another account there where the worker runs; then submit again, or choose another provider with --provider; or %s",
		providerName, keySource, HostInstead)
}

func remediationOfAnswer(c Class, providerName string) string {
	switch c {
	case EmptyContent, ToolCallsOnly, Paused:
		return "submit again with another model, or word the request so that it asks for a text"
	case ReasoningOnly:
		return "raise maxTokens of the specialist, so that the answer fits after the reasoning, or lower its reasoning effort"
	case Refusal, ContentFiltered:
		return "reword the request, or choose a model that accepts it"
	case MalformedBody, ResponseTooLarge:
		return fmt.Sprintf("check that the base URL of provider %s is that of an API in its dialect, and not of a web page", providerName)
	case ContextLengthExceeded, RequestTooLarge:
		return "shorten the request or its attachments, or choose a model with a larger context window"
	case ModelNotFound:
		return fmt.Sprintf("choose a model that provider %s offers to this key with --model", providerName)
	}
	return fmt.Sprintf("check model, options and base URL of provider %s; `tutti provider check %s` tells more", providerName, providerName)
}
