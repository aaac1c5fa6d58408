package provider

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/tutti-dev/tutti/internal/txscope"
)

// The read caps. An answer of 4 MB must work; an error body serves only to tell
// what kind of error it is.
const (
	MaxAnswerBytes = 8 << 20
	MaxErrorBytes  = 64 << 10
)

// ErrTransactionOpen is returned, before anything is sent, when a transaction is
// open in the context's scope: a call would outlive it, and a rollback would lose
// an answer that was paid for. Its error code is CodeTransactionOpen.
var ErrTransactionOpen = errors.New("a model call was about to be made while a database transaction is open")

var errUnsendable = errors.New("a header value holds a control character")

// Doer sends HTTP requests for all dialects. One request is one POST on the wire:
// redirects are not followed, and net/http gets neither a body that it could
// replay nor an Idempotency-Key, with which it would repeat a POST on its own.
type Doer struct{ client *http.Client }

// NewDoer makes a doer on a transport; NewTransport makes the usual one.
func NewDoer(transport http.RoundTripper) *Doer {
	return &Doer{client: &http.Client{
		Transport:     transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// Send sends the request once and reads the answer, all within the limit. What the
// network does is in the Exchange. The error is ErrTransactionOpen, or the
// context's when the caller cancelled before the answer was whole.
func (d *Doer) Send(req *http.Request, limit time.Duration) (Exchange, error) {
	caller := req.Context()
	if txscope.Open(caller) {
		return Exchange{}, ErrTransactionOpen
	}
	ctx, cancel := context.WithTimeout(caller, limit)
	defer cancel()
	started := time.Now()
	x := d.exchange(seal(req.WithContext(ctx)))
	x.ReceivedAt = time.Now()
	x.Elapsed = x.ReceivedAt.Sub(started)
	if x.Failure != nil && errors.Is(caller.Err(), context.Canceled) {
		return x, fmt.Errorf("the call was cancelled: %w", caller.Err())
	}
	return x, nil
}

func (d *Doer) exchange(req *http.Request) Exchange {
	if !sendable(req.Header) {
		return Exchange{Failure: errUnsendable}
	}
	response, err := d.client.Do(req)
	if err != nil {
		return Exchange{Failure: err}
	}
	defer func() { _ = response.Body.Close() }()
	x := Exchange{Status: response.StatusCode, Header: response.Header}
	limit := MaxErrorBytes
	if x.Succeeded() {
		limit = MaxAnswerBytes
	}
	x.Body, x.Failure = io.ReadAll(io.LimitReader(response.Body, int64(limit)+1))
	if x.Failure == nil {
		x.Body = inflate(x.Body, limit)
	}
	if len(x.Body) > limit {
		x.Body, x.Oversize, x.Failure = x.Body[:limit], true, nil
	}
	return x
}

// inflate undoes gzip by looking at the bytes: gateways label plain JSON as gzip,
// and gzip as plain. It goes one byte past the limit at most. Bytes that do not
// inflate stay as they are.
func inflate(raw []byte, limit int) []byte {
	if len(raw) < 2 || raw[0] != 0x1f || raw[1] != 0x8b {
		return raw
	}
	reader, err := gzip.NewReader(bytes.NewReader(raw))
	if err != nil {
		return raw
	}
	plain, err := io.ReadAll(io.LimitReader(reader, int64(limit)+1))
	if err != nil {
		return raw
	}
	return plain
}

// seal takes away what would let net/http send the request a second time, and
// asks for gzip itself, so that net/http hands on the bytes as they came.
func seal(req *http.Request) *http.Request {
	req.GetBody = nil
	req.Header.Del("Idempotency-Key")
	req.Header.Del("X-Idempotency-Key")
	req.Header.Set("Accept-Encoding", "gzip") // undone by inflate
	if req.Header.Get("User-Agent") == "" {
		req.Header.Set("User-Agent", "tutti")
	}
	return req
}

// sendable finds header values that net/http would refuse, so that the refusal is
// told from a broken connection and is not tried again.
func sendable(h http.Header) bool {
	for _, values := range h {
		for _, v := range values {
			if strings.ContainsFunc(v, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }) {
				return false
			}
		}
	}
	return true
}
