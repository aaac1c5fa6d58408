package provider_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/provider"
)

func classOf(status int, body string) provider.Class {
	x := provider.Exchange{Status: status, Header: http.Header{}, Body: []byte(body)}
	return provider.Judge(x, provider.Endpoint{}, provider.Request{}, unread).Class
}

// TestEveryStatusHasADefensibleClass goes through all statuses with a body that
// says nothing.
func TestEveryStatusHasADefensibleClass(t *testing.T) {
	t.Parallel()
	special := map[int]provider.Class{
		401: provider.Auth, 402: provider.InsufficientQuota, 403: provider.Auth, 407: provider.Auth, 408: provider.Timeout,
		410: provider.ModelNotFound, 413: provider.RequestTooLarge, 414: provider.RequestTooLarge, 425: provider.Overloaded,
		429: provider.RateLimited, 431: provider.RequestTooLarge, 498: provider.Overloaded, 499: provider.ConnectionReset,
		503: provider.Overloaded, 504: provider.Timeout, 522: provider.Timeout, 524: provider.Timeout, 529: provider.Overloaded,
	}
	for status := 100; status < 1000; status++ {
		want, ok := special[status]
		switch {
		case ok:
		case status >= 200 && status < 300:
			want = provider.MalformedBody
		case status >= 500 && status < 600:
			want = provider.ServerError
		default:
			want = provider.BadRequest
		}
		require.Equal(t, want, classOf(status, "{}"), status)
		require.Equal(t, want, classOf(status, ""), status)
	}
}

func TestTokensDecideWhateverTheirSpelling(t *testing.T) {
	t.Parallel()
	for token, want := range map[string]provider.Class{
		"insufficient_quota":      provider.InsufficientQuota,
		"InsufficientQuota":       provider.InsufficientQuota,
		"DeploymentNotFound":      provider.ModelNotFound,
		"model_not_found":         provider.ModelNotFound,
		"context_length_exceeded": provider.ContextLengthExceeded,
		"content_filter":          provider.ContentFiltered,
		"invalid_api_key":         provider.Auth,
		"too-many-requests":       provider.RateLimited,
		"unheard_of":              provider.BadRequest,
	} {
		for _, shape := range []string{
			`{"error":{"code":%q}}`, `{"error":{"type":%q}}`, `[{"error":{"status":%q}}]`, `{"type":"error","error":{"type":%q}}`,
			`{"object":"error","message":"m","code":%q}`, `{"error":{"message":"m","innererror":{"code":%q}}}`,
			`{"error":{"error":{"code":%q}}}`, `{"error":{"metadata":{"raw":"{\"error\":{\"code\":\"x\"}}"},"code":%q}}`,
		} {
			require.Equal(t, want, classOf(400, fmt.Sprintf(shape, token)), "%s in %s", token, shape)
		}
	}
}

func TestAGatewayWrapsAMoreTellingStatus(t *testing.T) {
	t.Parallel()
	require.Equal(t, provider.RateLimited, classOf(500, `{"error":{"code":429}}`))
	require.Equal(t, provider.Auth, classOf(400, `{"error":{"code":"401"}}`))
	require.Equal(t, provider.Auth, classOf(401, `{"error":{"code":500}}`), "a telling status is not overruled")
	require.Equal(t, provider.RateLimited, classOf(200, `{"error":{"code":429}}`))
	require.Equal(t, provider.BadRequest, classOf(200, `{"error":{"code":12}}`))
}

func TestPagesAreJudgedByStatusAlone(t *testing.T) {
	t.Parallel()
	const page = "<html><a href=/billing>insufficient_quota rate limit maximum context length</a></html>"
	require.Equal(t, provider.ServerError, classOf(500, page))
	require.Equal(t, provider.BadRequest, classOf(404, page))
	require.Equal(t, provider.MalformedBody, classOf(200, page))
}

func TestTheSameBodyAlwaysHasTheSameOutcome(t *testing.T) {
	t.Parallel()
	const body = `{"error":{"z":{"status":503},"a":{"status":429},"m":{"code":"x_error"},"message":"no"}}`
	first := classOf(200, body)
	for range 50 {
		require.Equal(t, first, classOf(200, body))
	}
}
