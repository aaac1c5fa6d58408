package fakeprovider

import "time"

// Options configure a server; the zero value is a server without cases.
type Options struct {
	// Corpus are the files whose cases are served.
	Corpus []string
	// Addr is where to listen; empty means a free port on 127.0.0.1.
	Addr string
	// Latency delays every answer.
	Latency time.Duration
	// FailFirst answers 503 to the first so many calls of each model.
	FailFirst int
	// HangMax bounds how long a hanging case holds a connection; 0 means a minute.
	HangMax time.Duration
}

func (o Options) addr() string {
	if o.Addr == "" {
		return "127.0.0.1:0"
	}
	return o.Addr
}

func (o Options) hangMax() time.Duration {
	if o.HangMax == 0 {
		return time.Minute
	}
	return o.HangMax
}
