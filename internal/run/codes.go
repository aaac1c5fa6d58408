package run

// CodeInfo is what a reader has to know of a code.
type CodeInfo struct {
	Code Code
	// On says where the code can stand.
	On CodePlace
	// When completes the sentence "it stands there when …".
	When string
	// Retried says that tutti tries again by itself before it reports the code.
	Retried bool
	// Do is the next step. A failure on a record has one of its own, with names.
	Do string
}

// CodePlace says where a code can stand.
type CodePlace string

// The places of codes.
const (
	OnTask   CodePlace = "task"   // on a task that failed, and on its attempts
	OnRun    CodePlace = "run"    // on a run in status error, or in the refusal to start one
	OnAnswer CodePlace = "answer" // in the answer to a caller; it changes no run
)

// Codes lists every code once: those of tasks first, then of runs, then of answers.
func Codes() []CodeInfo {
	return append(append(taskCodes(), runCodes()...), answerCodes()...)
}

func taskCodes() []CodeInfo {
	const retried = true
	return []CodeInfo{
		{CodeRateLimited, OnTask, "the provider limits the rate of requests, also after the last attempt", retried, "submit again later, lower `concurrency` or set `callsPerSecond` of the provider, or let runs wait with `limits: {park: 24h}`"},
		{CodeServerError, OnTask, "the provider failed, had no capacity or could not be reached", retried, "submit again later, or choose another model or provider"},
		{CodeTimeout, OnTask, "no whole answer came within the provider's timeout", retried, "submit again, or raise `timeout` of the provider"},
		{CodeWorkerLost, OnTask, "the worker vanished during the last attempt", retried, "look into the worker's log, start a worker, and submit again"},
		{CodeContent, OnTask, "a text or the store that keeps answers cannot be reached; the task waits and goes on by itself", retried, "see `tutti doctor` and bring the store back"},
		{CodeAuth, OnTask, "the provider did not accept the key", !retried, "put a key that may use the model where the worker looks for it; `tutti provider check` tells whether it works; or let your own agent session do the work: `--backend host`, then `tutti host next`"},
		{CodeNoCredits, OnTask, "credit or a long quota of the account is used up", !retried, "add credit or raise the limit of the account, or choose another provider with `--provider`; or let your own agent session do the work: `--backend host`, then `tutti host next`"},
		{CodeFiltered, OnTask, "the model declined, or a content filter stopped the request or its answer", !retried, "reword the request, or choose a model that accepts it"},
		{CodeReasoningOnly, OnTask, "the model used up its room with reasoning and did not answer", !retried, "raise `maxTokens` of the specialist, or lower its `effort`"},
		{CodeEmptyContent, OnTask, "the answer has no text", !retried, "choose another model, or word the request so that it asks for a text"},
		{CodeMalformed, OnTask, "the provider answered with something that is no completion, or with too much", !retried, "check that the base URL of the provider is that of an API in its dialect"},
		{CodeExecutionFailed, OnTask, "the provider refused the request: its size, the model's name, an option", !retried, "shorten the request, or correct the model or the options of the specialist"},
		{CodeKeyMissing, OnTask, "the provider needs a key and its source has none", !retried, "set the variable, file or command that the message names, where the worker runs; or let your own agent session do the work: `--backend host`, then `tutti host next`"},
		{CodeModelUnresolved, OnTask, "no model is chosen, its provider is not known, or nobody serves its queue", !retried, "name a model with `--model`, in the specialist or as `model:` in the configuration; see `tutti provider list`"},
		{CodeBudget, OnTask, "the run's budget allows no further attempt", !retried, "raise `--max-cost` or `--max-tokens` and submit again"},
		{CodeHostTimeout, OnTask, "no host submitted a result within `host.resultTimeout`", !retried, "submit the run again, or raise `host.resultTimeout`"},
		{CodeHostFailure, OnTask, "the host that executed the task reported a failure", !retried, "see the host's session, and submit the run again"},
		{CodePromptMismatch, OnTask, "a retry made another prompt than the first attempt", !retried, "use one version of tutti for all workers, and submit again"},
		{CodePayloadTooLarge, OnTask, "something is larger than what Temporal carries", !retried, "shorten the request or its attachments; report it if they are small"},
		{CodeTransactionOpen, OnTask, "a model was to be called inside a database transaction", !retried, "report it: it is a fault of tutti's"},
		{CodeInternal, OnTask, "tutti failed in a way that it should not", !retried, "look into the worker's log at that time, and report it"},
	}
}

func runCodes() []CodeInfo {
	const never = false
	return []CodeInfo{
		{CodeSpecialist, OnRun, "a specialist of the chain does not exist or its file is refused", never, "see `tutti specialist list`, and correct the name or the file"},
		{CodeChainInvalid, OnRun, "the chain does not exist or its graph cannot be run", never, "see `tutti chain list` and `tutti chain validate`"},
		{CodeRunInputInvalid, OnRun, "the request is empty, too large or not text, or an option cannot be honoured, like a cap on the cost of a model without a price", never, "correct what the message names"},
		{CodeRunTerminated, OnRun, "somebody terminated the workflow in Temporal", never, "ask who did; the reason stands in the message"},
		{CodeRunTimedOut, OnRun, "the workflow's own time limit in Temporal passed", never, "submit again without that limit"},
	}
}

func answerCodes() []CodeInfo {
	const never = false
	return []CodeInfo{
		{CodeIdempotencyKey, OnAnswer, "the idempotency key stands for another request", never, "use another `--idempotency-key`, or the request that the key belongs to"},
		{CodeRunNotFound, OnAnswer, "there is no run of that ID in the tenant", never, "see `tutti run list`"},
		{CodeTaskNotFound, OnAnswer, "the run has no task of that ID", never, "see `tutti run show RUN`"},
		{CodeRunAlreadyEnded, OnAnswer, "the run has ended and takes no results", never, "see `tutti run show RUN`"},
		{CodeTaskNotAwaiting, OnAnswer, "the task does not wait for a host", never, "see `tutti run show RUN`"},
		{CodeHostResultInvalid, OnAnswer, "the submitted result cannot be read", never, "correct what the message names, and submit it again"},
		{CodeHostRecorded, OnAnswer, "the task has another result already", never, "go on with the next task"},
		{CodeHostEmpty, OnAnswer, "the outcome is done and the output is empty", never, "submit the deliverable itself, or outcome failed with an error"},
		{CodeHostTooLarge, OnAnswer, "the result is over 4 MiB, a raw one over 256 KiB, or the run's raw results are over 8 MiB in all", never, "shorten it, or let tutti store it first: `tutti host submit`"},
		{CodeHostClaimLost, OnAnswer, "another host has the task in hand", never, "ask for the next task"},
		{CodeHostClaimHeld, OnAnswer, "the task is claimed by another host", never, "take another task, wait until the claim expires, or take it over if it is your own"},
		{CodeHostPrompt, OnAnswer, "the result is for another prompt than the task was given", never, "fetch the prompt again and execute that one"},
		{CodeUnreachable, OnAnswer, "Temporal, or a worker whose answer is needed, did not answer in time (MCP says so by this code, the command line by exit code 5)", never, "see `tutti doctor`, start what is missing with `tutti dev` or `tutti worker`, and ask again"},
	}
}

// InfoOf returns what is known of a code, and false for a code that is not listed.
func InfoOf(code Code) (CodeInfo, bool) {
	for _, info := range Codes() {
		if info.Code == code {
			return info, true
		}
	}
	return CodeInfo{}, false
}
