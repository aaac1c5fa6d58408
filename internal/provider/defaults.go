package provider

import "maps"

// Defaults are what a provider's configuration says of every request to it. They
// belong to the endpoint and not to the run, like its base URL and its key: a
// request that falls back to another provider must not carry the first one's
// members there.
type Defaults struct {
	// Temperature is sent where the request has none; nil sends nothing.
	Temperature *float64
	// Extras are members of the body. The request's own of the same name win.
	Extras map[string]any
}

// Fill returns the request with what it leaves open filled in.
func (d Defaults) Fill(req Request) Request {
	if req.Temperature == nil {
		req.Temperature = d.Temperature
	}
	if len(d.Extras) > 0 {
		extras := maps.Clone(d.Extras)
		maps.Copy(extras, req.Extras)
		req.Extras = extras
	}
	return req
}
