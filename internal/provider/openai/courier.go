package openai

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"net/url"

	"github.com/tutti-dev/tutti/internal/provider"
)

// errJudged stops go-openai: the outcome is in the courier.
var errJudged = errors.New("the answer was judged and is not a completion")

// courier is go-openai's HTTP client for one call.
type courier struct {
	doer     *provider.Doer
	endpoint provider.Endpoint
	request  provider.Request
	url      *url.URL
	// outcome and err are what the call came to; sent says that they were set.
	outcome provider.Outcome
	err     error
	sent    bool
}

// Do implements go-openai's HTTPDoer.
func (c *courier) Do(req *http.Request) (*http.Response, error) {
	if err := c.prepare(req); err != nil {
		c.outcome, c.sent = provider.NotSent("extras"), true
		return nil, errJudged
	}
	exchange, err := c.doer.Send(req, c.endpoint.Deadline())
	c.sent = true
	if err != nil {
		c.err = err
		return nil, errJudged
	}
	c.outcome = provider.Judge(exchange, c.endpoint, c.request, read)
	if !c.outcome.Class.Success() {
		return nil, errJudged
	}
	body, err := canonical(c.outcome)
	if err != nil {
		return nil, err
	}
	return &http.Response{
		StatusCode: http.StatusOK,
		Header:     exchange.Header,
		Body:       io.NopCloser(bytes.NewReader(body)),
	}, nil
}

// prepare turns go-openai's request into the one to send: to the URL with the
// endpoint's query, with the extra members and the endpoint's headers.
func (c *courier) prepare(req *http.Request) error {
	body, err := io.ReadAll(req.Body)
	if err != nil {
		return err
	}
	body, err = merge(body, extras(c.endpoint, c.request))
	if err != nil {
		return err
	}
	req.Body = io.NopCloser(bytes.NewReader(body))
	req.ContentLength = int64(len(body))
	req.URL, req.Host = c.url, c.url.Host
	for name, value := range c.endpoint.Headers {
		req.Header.Set(name, value)
	}
	return nil
}
