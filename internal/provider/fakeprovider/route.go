package fakeprovider

import (
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// maxRequestBytes bounds what is read of a request.
const maxRequestBytes = 64 << 20

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	path := r.URL.Path
	switch {
	case strings.Contains(path, "/leakcheck/"):
		s.leakcheck(w, r)
	case strings.HasSuffix(path, "/chat/completions"):
		s.ask(w, r, "openai")
	case strings.HasSuffix(path, "/messages"):
		s.ask(w, r, "anthropic")
	case path == "/release" && r.Method == http.MethodPost:
		s.gate.release(r.URL.Query().Get("model"))
		w.WriteHeader(http.StatusNoContent)
	case path == "/reset" && r.Method == http.MethodPost:
		s.counter.reset()
		s.gate.reset()
		w.WriteHeader(http.StatusNoContent)
	case r.Method == http.MethodGet:
		s.tell(w, r)
	default:
		writeError(w, http.StatusNotFound, "no such endpoint: "+r.Method+" "+path)
	}
}

// tell answers the questions about the server itself.
func (s *Server) tell(w http.ResponseWriter, r *http.Request) {
	switch path := r.URL.Path; {
	case path == "/stats":
		encoded, _, _ := s.counter.snapshot("")
		writeJSON(w, http.StatusOK, json.RawMessage(encoded))
	case path == "/await":
		s.await(w, r)
	case path == "/healthz":
		_, _ = io.WriteString(w, "ok\n")
	case path == "/cases":
		writeJSON(w, http.StatusOK, slices.Sorted(maps.Keys(s.cases)))
	case strings.HasSuffix(path, "/models"):
		writeJSON(w, http.StatusOK, map[string]any{"object": "list", "data": []any{
			map[string]any{"id": "echo", "object": "model", "created": 1700000000, "owned_by": "fakeprovider"},
		}})
	default:
		writeError(w, http.StatusNotFound, "no such endpoint: "+r.Method+" "+path)
	}
}

// await answers with the statistics once a model was called often enough.
func (s *Server) await(w http.ResponseWriter, r *http.Request) {
	model := r.URL.Query().Get("model")
	calls, err := strconv.Atoi(r.URL.Query().Get("calls"))
	if err != nil {
		writeError(w, http.StatusBadRequest, "calls must be a number")
		return
	}
	for {
		encoded, seen, changed := s.counter.snapshot(model)
		if seen >= calls {
			writeJSON(w, http.StatusOK, json.RawMessage(encoded))
			return
		}
		select {
		case <-changed:
		case <-r.Context().Done():
			return
		}
	}
}

// leakcheck counts what a followed redirect brings, and answers like a model, so
// that following it is not noticed by an error.
func (s *Server) leakcheck(w http.ResponseWriter, r *http.Request) {
	s.counter.countLeak(r)
	c := completion{dialect: "openai", model: "leakcheck", id: strings.Repeat("0", 24), text: "REDIRECT-WAS-FOLLOWED"}
	if strings.HasSuffix(r.URL.Path, "/messages") {
		c.dialect = "anthropic"
	}
	c.write(w)
}

// ask answers a question to a model.
func (s *Server) ask(w http.ResponseWriter, r *http.Request, dialect string) {
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", http.MethodPost)
		writeError(w, http.StatusMethodNotAllowed, "method "+r.Method+" not allowed")
		return
	}
	raw, err := io.ReadAll(io.LimitReader(r.Body, maxRequestBytes))
	if err != nil {
		return
	}
	q := question{dialect: dialect, raw: raw}
	if err := json.Unmarshal(raw, &q); err != nil {
		s.counter.countBad()
		writeError(w, http.StatusBadRequest, "request body is not JSON: "+err.Error())
		return
	}
	n, leave := s.counter.enter(q.key(), r)
	status, forced := 0, false
	defer func() { leave(status, forced) }()
	if s.options.Latency > 0 && !sleep(r.Context(), s.options.Latency) {
		return
	}
	if n <= s.options.FailFirst {
		status, forced = http.StatusServiceUnavailable, true
		writeError(w, status, "fakeprovider forced failure")
		return
	}
	status = s.answer(w, r, q)
}

// answer replays a case or makes an answer up, and returns the status.
func (s *Server) answer(w http.ResponseWriter, r *http.Request, q question) int {
	if id, ok := caseID(q.Model); ok {
		c, known := s.cases[id]
		if !known {
			writeError(w, http.StatusNotFound, "fakeprovider: no case "+id)
			return http.StatusNotFound
		}
		s.replay(w, r, c, q)
		return c.Status
	}
	name, n, ok := kind(q.Model)
	if !ok {
		writeError(w, http.StatusNotFound, "fakeprovider: the model must be echo, echo-<ms>, hold-<n>, fill-<bytes>, or end in case-<id>")
		return http.StatusNotFound
	}
	c := echo(q)
	switch {
	case name == "fill":
		c = c.filled(n)
	case name == "hold" && !s.gate.wait(r.Context(), q.Model),
		name == "echo" && !sleep(r.Context(), milliseconds(n)):
		return 0
	}
	if q.Stream {
		c.stream(w)
	} else {
		c.write(w)
	}
	return http.StatusOK
}
