package fakeprovider

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
)

// Client speaks to a fake provider, wherever it runs.
type Client struct {
	url  string
	http *http.Client
}

// Connect makes a client for the server at a URL.
func Connect(serverURL string) *Client {
	return &Client{url: serverURL, http: &http.Client{Transport: &http.Transport{}}}
}

// URL is the server's address, without a path.
func (c *Client) URL() string { return c.url }

// BaseURL is what a provider's base URL is set to.
func (c *Client) BaseURL() string { return c.url + "/v1" }

// Stats reads the statistics.
func (c *Client) Stats(ctx context.Context) (Stats, error) {
	var s Stats
	return s, c.do(ctx, http.MethodGet, "/stats", &s)
}

// Await returns when the model was called at least so many times.
func (c *Client) Await(ctx context.Context, model string, calls int) (Stats, error) {
	var s Stats
	query := url.Values{"model": {model}, "calls": {strconv.Itoa(calls)}}
	return s, c.do(ctx, http.MethodGet, "/await?"+query.Encode(), &s)
}

// Release lets go the calls of a hold model, or of all when it is empty.
func (c *Client) Release(ctx context.Context, model string) error {
	return c.do(ctx, http.MethodPost, "/release?"+url.Values{"model": {model}}.Encode(), nil)
}

// Reset forgets the statistics and holds again what was released.
func (c *Client) Reset(ctx context.Context) error { return c.do(ctx, http.MethodPost, "/reset", nil) }

func (c *Client) do(ctx context.Context, method, path string, into any) error {
	request, err := http.NewRequestWithContext(ctx, method, c.url+path, nil)
	if err != nil {
		return fmt.Errorf("fake provider: %w", err)
	}
	response, err := c.http.Do(request)
	if err != nil {
		return fmt.Errorf("fake provider: %w", err)
	}
	defer func() { _ = response.Body.Close() }()
	raw, err := io.ReadAll(response.Body)
	if err != nil {
		return fmt.Errorf("fake provider: %w", err)
	}
	if response.StatusCode >= 300 {
		return fmt.Errorf("fake provider: %s %s: status %d", method, path, response.StatusCode)
	}
	if into == nil {
		return nil
	}
	if err := json.Unmarshal(raw, into); err != nil {
		return fmt.Errorf("fake provider: %w", err)
	}
	return nil
}
