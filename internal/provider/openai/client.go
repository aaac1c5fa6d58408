package openai

import (
	"context"
	"net/http"
	"net/url"

	sdk "github.com/sashabaranov/go-openai"

	"github.com/tutti-dev/tutti/internal/provider"
)

// Client asks models in the OpenAI dialect. It implements provider.Caller and is
// safe for concurrent use.
type Client struct{ doer *provider.Doer }

// New makes a client on the doer that all dialects share.
func New(doer *provider.Doer) *Client { return &Client{doer: doer} }

// Call implements provider.Caller.
func (c *Client) Call(ctx context.Context, ep provider.Endpoint, req provider.Request) (provider.Outcome, error) {
	target, err := provider.JoinURL(ep.BaseURL, "/chat/completions")
	if err != nil {
		return provider.NotSent("base_url"), nil
	}
	address, err := url.Parse(target)
	if err != nil {
		return provider.NotSent("base_url"), nil
	}
	courier := &courier{doer: c.doer, endpoint: ep, request: req, url: address}
	config := sdk.DefaultConfig(ep.APIKey)
	config.BaseURL = ep.BaseURL
	config.HTTPClient = courier
	completion, err := sdk.NewClientWithConfig(config).CreateChatCompletion(ctx, chatRequest(req))
	switch {
	case courier.err != nil:
		return provider.Outcome{}, courier.err
	case !courier.sent: // go-openai's own checks refused the request
		return provider.NotSent("go_openai_validation"), nil
	case err == nil && len(completion.Choices) > 0:
		courier.outcome.Text = completion.Choices[0].Message.Content
	}
	return courier.outcome, nil
}

// Check implements provider.Checker. It lists the models; OpenRouter does that
// without a credential, so there it asks about the key.
func (c *Client) Check(ctx context.Context, ep provider.Endpoint) (provider.Outcome, error) {
	path := "/models"
	if isOpenRouter(ep) {
		path = "/key"
	}
	target, err := provider.JoinURL(ep.BaseURL, path)
	if err != nil {
		return provider.NotSent("base_url"), nil
	}
	header := http.Header{}
	if ep.APIKey != "" {
		header.Set("Authorization", "Bearer "+ep.APIKey)
	}
	return c.doer.Check(ctx, target, header, ep)
}
