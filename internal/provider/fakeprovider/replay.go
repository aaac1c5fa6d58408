package fakeprovider

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// letRead is how long a client gets to read what came before a connection is cut.
const letRead = 20 * time.Millisecond

// replay answers as a case says.
func (s *Server) replay(w http.ResponseWriter, r *http.Request, c Case, q question) {
	hang := min(s.options.hangMax(), millis(c.Params.HangMS, s.options.hangMax()))
	switch c.Behaviour {
	case "reset_before_headers":
		abort(w, true)
		return
	case "close_before_headers":
		abort(w, false)
		return
	case "hang":
		sleep(r.Context(), hang)
		abort(w, false)
		return
	}
	s.setHeaders(w.Header(), c, r, q)
	body := s.body(c, r, q)
	switch c.Behaviour {
	case "", "normal":
		w.Header().Set("Content-Length", strconv.Itoa(len(body)))
		w.WriteHeader(c.Status)
		_, _ = w.Write(body)
	case "sse":
		w.WriteHeader(c.Status)
		drip(w, r, splitEvents(body), 5*time.Millisecond)
	case "slow_drip":
		w.WriteHeader(c.Status)
		drip(w, r, chunks(body, max(c.Params.DripBytes, 1)), millis(c.Params.DripMS, 200*time.Millisecond))
	case "keepalive_then_body", "keepalive_forever":
		w.WriteHeader(c.Status)
		if s.pad(w, r, c) {
			_, _ = w.Write(body)
		}
	case "reset_mid_body", "hang_mid_body":
		cutBody(w, r, c, body, hang)
	default:
		writeError(w, http.StatusNotImplemented, "fakeprovider: unknown behaviour "+c.Behaviour)
	}
}

// setHeaders sends only the case's own headers.
func (s *Server) setHeaders(h http.Header, c Case, r *http.Request, q question) {
	h["Date"] = nil
	for name, value := range c.Headers {
		h.Set(name, s.expand(value, r, q))
	}
	for name, values := range c.MultiHeaders {
		for _, value := range values {
			h.Add(name, s.expand(value, r, q))
		}
	}
	if _, typed := h["Content-Type"]; !typed {
		h["Content-Type"] = nil // no sniffing
	}
}

func (s *Server) body(c Case, r *http.Request, q question) []byte {
	var body []byte
	switch {
	case c.BodyFill != nil:
		unit := c.BodyFill.Unit
		if unit == "" {
			unit = "x"
		}
		body = []byte(c.BodyFill.Prefix + strings.Repeat(unit, (c.BodyFill.Bytes+len(unit)-1)/len(unit)) + c.BodyFill.Suffix)
	case c.BodyBase64 != "":
		body, _ = base64.StdEncoding.DecodeString(c.BodyBase64)
	default:
		body = []byte(s.expand(c.Body, r, q))
	}
	if !c.GzipBody {
		return body
	}
	var zipped bytes.Buffer
	writer := gzip.NewWriter(&zipped)
	_, _ = writer.Write(body)
	_ = writer.Close()
	return zipped.Bytes()
}

func splitEvents(body []byte) [][]byte { return bytes.SplitAfter(body, []byte("\n\n")) }

func chunks(body []byte, size int) (parts [][]byte) {
	for len(body) > 0 {
		n := min(size, len(body))
		parts = append(parts, body[:n])
		body = body[n:]
	}
	return parts
}

// drip writes the parts with pauses between them, until the client is gone.
func drip(w http.ResponseWriter, r *http.Request, parts [][]byte, pause time.Duration) {
	for _, part := range parts {
		if _, err := w.Write(part); err != nil {
			return
		}
		_ = http.NewResponseController(w).Flush()
		if !sleep(r.Context(), pause) {
			return
		}
	}
}

// pad keeps the connection alive without saying anything.
func (s *Server) pad(w http.ResponseWriter, r *http.Request, c Case) bool {
	pad, every := c.Params.Pad, millis(c.Params.PadEveryMS, 100*time.Millisecond)
	if pad == "" {
		pad = "\n"
	}
	stop := time.Now().Add(s.options.hangMax())
	for i := 0; c.Behaviour == "keepalive_forever" || i < c.Params.PadCount; i++ {
		if _, err := io.WriteString(w, pad); err != nil || time.Now().After(stop) {
			return false
		}
		_ = http.NewResponseController(w).Flush()
		if !sleep(r.Context(), every) {
			return false
		}
	}
	return true
}

// cutBody sends a part of the body and then cuts the connection, or lets it hang.
func cutBody(w http.ResponseWriter, r *http.Request, c Case, body []byte, hang time.Duration) {
	n := c.Params.AfterBytes
	if n <= 0 || n > len(body) {
		n = len(body) / 2
	}
	if !c.Params.Chunked {
		w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	}
	w.WriteHeader(c.Status)
	_, _ = w.Write(body[:n])
	_ = http.NewResponseController(w).Flush()
	if c.Behaviour == "hang_mid_body" {
		sleep(r.Context(), hang)
	} else {
		sleep(r.Context(), letRead)
	}
	abort(w, c.Behaviour == "reset_mid_body" && !c.Params.Chunked)
}

// abort drops the connection, with a TCP RST or a FIN.
func abort(w http.ResponseWriter, reset bool) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	if tcp, ok := conn.(*net.TCPConn); ok && reset {
		_ = tcp.SetLinger(0)
	}
	_ = conn.Close()
}
