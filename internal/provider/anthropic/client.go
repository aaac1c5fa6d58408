package anthropic

import (
	"bytes"
	"context"
	"net/http"
	"regexp"

	"github.com/tutti-dev/tutti/internal/provider"
)

// version is the API version that request and response are written for.
const version = "2023-06-01"

// Client asks models through the Messages API. It implements provider.Caller and is
// safe for concurrent use.
type Client struct{ doer *provider.Doer }

// New makes a client on the doer that all dialects share.
func New(doer *provider.Doer) *Client { return &Client{doer: doer} }

// Call implements provider.Caller.
func (c *Client) Call(ctx context.Context, ep provider.Endpoint, req provider.Request) (provider.Outcome, error) {
	target, err := endpointURL(ep.BaseURL, "/messages")
	if err != nil {
		return provider.NotSent("base_url"), nil
	}
	encoded, err := body(req)
	if err != nil {
		return provider.NotSent("extras"), nil
	}
	post, err := http.NewRequestWithContext(ctx, http.MethodPost, target, bytes.NewReader(encoded))
	if err != nil {
		return provider.NotSent("base_url"), nil
	}
	setHeaders(post.Header, ep)
	exchange, err := c.doer.Send(post, ep.Deadline())
	if err != nil {
		return provider.Outcome{}, err
	}
	return provider.Judge(exchange, ep, req, read), nil
}

func setHeaders(h http.Header, ep provider.Endpoint) {
	h.Set("Content-Type", "application/json")
	h.Set("Accept", "application/json")
	h.Set("Anthropic-Version", version)
	if ep.APIKey != "" {
		h.Set("X-Api-Key", ep.APIKey)
	}
	for name, value := range ep.Headers {
		h.Set(name, value)
	}
}

// Check implements provider.Checker. It lists the models.
func (c *Client) Check(ctx context.Context, ep provider.Endpoint) (provider.Outcome, error) {
	target, err := endpointURL(ep.BaseURL, "/models")
	if err != nil {
		return provider.NotSent("base_url"), nil
	}
	header := http.Header{}
	setHeaders(header, ep)
	return c.doer.Check(ctx, target, header, ep)
}

// endpointURL is where a path of the API is. A base URL may end in the API's
// version, as other dialects write it, or before it, as ANTHROPIC_BASE_URL is
// usually set.
func endpointURL(base, path string) (string, error) {
	u, err := provider.ParseBaseURL(base)
	if err != nil {
		return "", err
	}
	if regexp.MustCompile(`/v\d+(/messages)?$`).MatchString(u.Path) {
		return provider.JoinURL(base, path)
	}
	return provider.JoinURL(base, "/v1"+path)
}
