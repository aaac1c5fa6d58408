package provider

import (
	"context"
	"fmt"
	"net/http"
	"time"
)

// checkTimeout bounds a check; it asks for a list, not for an answer.
const checkTimeout = 15 * time.Second

// Check gets a URL with the given headers and judges the answer like a model's,
// except that any JSON is a success. It is the part of Checker that dialects share.
func (d *Doer) Check(ctx context.Context, url string, header http.Header, ep Endpoint) (Outcome, error) {
	get, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return NotSent("base_url"), nil
	}
	get.Header = header
	for name, value := range ep.Headers {
		get.Header.Set(name, value)
	}
	exchange, err := d.Send(get, min(checkTimeout, ep.Deadline()))
	if err != nil {
		return Outcome{}, fmt.Errorf("check provider %s: %w", ep.Name, err)
	}
	out := Judge(exchange, ep, Request{}, func(body Body) (Reading, bool) {
		return Reading{Text: "ok"}, len(body.Values) > 0
	})
	out.Text = ""
	return out, nil
}
