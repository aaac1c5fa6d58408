package run

// Who executed a task, as it stands in the record.
const (
	ExecutorPrepared      = "inline:prepared"
	ExecutorInlineError   = "inline:error"
	ExecutorProviderError = "provider:error"
	ExecutorHostAwaiting  = "host:awaiting"
	ExecutorHostError     = "host:error"
)

// ExecutorProvider names the provider and model that answered.
func ExecutorProvider(provider, model string) string { return "provider:" + provider + ":" + model }

func executorOfError(b Backend) string {
	switch b {
	case BackendInline:
		return ExecutorInlineError
	case BackendProvider:
		return ExecutorProviderError
	case BackendHost:
		return ExecutorHostError
	}
	return ""
}
