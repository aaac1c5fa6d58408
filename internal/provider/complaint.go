package provider

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"
)

// complaint is what a body says went wrong, in whatever shape it says so. The
// prose in it serves to recognise the kind of refusal and never leaves the
// package.
type complaint struct {
	found bool
	// status is an HTTP status that the body names; 0 when it names none.
	status int
	// kind and code are the tokens to show, if the guard lets them through.
	kind, code string
	// tokens are all short machine-readable strings, prose all others.
	tokens []string
	prose  strings.Builder
	wait   *time.Duration
	id     string
}

// maxProse bounds how much prose is looked at.
const maxProse = 32 << 10

// complain looks for an error in a body. At an error status everything in the
// body is taken for a complaint; in a 2xx only what is marked as one.
func complain(body Body, failed bool) *complaint {
	c := &complaint{}
	for _, value := range body.Values {
		for _, found := range errorsIn(value, failed) {
			c.found = true
			c.collect(found, 0)
			if value.IsObject() {
				c.id = firstNonEmpty(c.id, value.Get("request_id").Token())
			}
		}
	}
	if failed {
		c.addProse(body.plain)
	}
	return c
}

// errorsIn returns the error values in one JSON value of a body.
func errorsIn(v Node, failed bool) (found []Node) {
	if v.IsArray() {
		for _, item := range few(v.Items()) {
			if item.IsObject() {
				found = append(found, errorsIn(item, failed)...)
			}
		}
		return found
	}
	places := []Node{v, v.Get("message"), v.Get("response")}
	for _, choice := range few(v.Get("choices").Items()) {
		places = append(places, choice, choice.Get("message"), choice.Get("delta"))
	}
	for _, place := range places {
		for _, key := range []string{"error", "errors"} {
			if e := place.Get(key); !e.Empty() {
				found = append(found, e)
			}
		}
	}
	if isFlatError(v) || (failed && v.IsObject()) || vendorFailure(v) {
		found = append(found, v)
	}
	return found
}

// isFlatError recognises an error whose members stand at the top, without an
// error member, beside no answer.
func isFlatError(v Node) bool {
	if !v.IsObject() || !v.Get("choices").Empty() || !v.Get("content").Empty() {
		return false
	}
	if kind := v.Get("type").Text(); kind == "error" || v.Get("object").Text() == "error" {
		return true
	}
	if success := v.Get("success"); success.present && success.value == false {
		return true
	}
	for _, key := range []string{"detail", "fault", "error_code", "errorCode", "error_msg", "errorMessage", "__type"} {
		if !v.Get(key).Empty() {
			return true
		}
	}
	code := v.First("code", "status", "statusCode", "status_code")
	return v.First("message", "msg", "Message").IsText() && !code.Empty() && code.Token() != "200"
}

// vendorFailure recognises MiniMax's status object, which stands in every answer
// and is 0 in a good one.
func vendorFailure(v Node) bool { return !v.At("base_resp", "status_code").Empty() }

// silent are members that hold what the client sent, or counts, and say nothing
// about the kind of refusal.
func silent(key string) bool {
	switch key {
	case "input", "flagged_input", "prompt", "messages", "body", "loc", "usage", "choices", "content", "model", "user_id", "request_id", "param":
		return true
	}
	return false
}

// isCodeMember says whether a member holds a machine-readable code.
func isCodeMember(key string) bool {
	switch strings.ToLower(strings.ReplaceAll(key, "_", "")) {
	case "type", "code", "status", "errorcode", "errortype", "reason", "name", "title", "limitsource",
		"quotaid", "httpcode", "httpstatus", "statuscode", "object", "rawstatuscode":
		return true
	}
	return key == "__type" || key == "@type"
}

func (c *complaint) collect(v Node, depth int) {
	if depth > 6 {
		return
	}
	if v.IsText() {
		c.collectText(v.Text(), depth)
		return
	}
	for _, item := range few(v.Items()) {
		c.collect(item, depth+1)
	}
	if depth == 0 {
		c.name(v)
	}
	members := v.Members()
	for _, key := range slices.Sorted(maps.Keys(members)) {
		c.collectMember(key, members[key], depth)
	}
}

// name takes the tokens to show and the status from the outermost object that has
// them, then from the one that it wraps.
func (c *complaint) name(v Node) {
	for range 3 {
		c.kind = firstNonEmpty(c.kind, firstText(v, "type", "error_type", "status", "__type"))
		code := v.First("code", "error_code", "errorCode", "http_code", "statusCode", "status_code")
		c.code = firstNonEmpty(c.code, code.Token())
		c.noteStatus(code)
		c.noteStatus(v.Get("status"))
		v = v.First("error", "innererror")
	}
}

func (c *complaint) noteStatus(v Node) {
	if status, ok := v.Number(); ok && status >= 400 && status < 600 && c.status == 0 {
		c.status = int(status)
	}
}

func (c *complaint) collectMember(key string, member Node, depth int) {
	if key == "flagged_input" {
		c.tokens = append(c.tokens, key)
	}
	if key == "base_resp" {
		c.tokens = append(c.tokens, "minimax_"+member.Get("status_code").Token())
	}
	if silent(key) {
		return
	}
	c.noteWait(key, member)
	token := member.Token()
	if token == "" || !isCodeMember(key) {
		c.collect(member, depth+1)
		return
	}
	c.tokens = append(c.tokens, token)
	c.noteStatus(member)
	c.addProse(token)
}

// collectText keeps prose; a string that is itself JSON, as gateways wrap the
// answer of the next server, is taken apart.
func (c *complaint) collectText(text string, depth int) {
	if trimmed := strings.TrimSpace(text); strings.HasPrefix(trimmed, "{") || strings.HasPrefix(trimmed, "[") {
		var v any
		decoder := json.NewDecoder(strings.NewReader(trimmed))
		decoder.UseNumber()
		if decoder.Decode(&v) == nil {
			c.collect(NewNode(v), depth+1)
			return
		}
	}
	c.addProse(text)
}

func (c *complaint) addProse(text string) {
	if room := maxProse - c.prose.Len(); room > 0 {
		c.prose.WriteString(strings.ToLower(text[:min(len(text), room)]))
		c.prose.WriteByte('\n')
	}
}

// maxItems bounds how many elements of an array are searched for an error.
const maxItems = 100

func few(items []Node) []Node { return items[:min(len(items), maxItems)] }

func firstText(v Node, keys ...string) string {
	for _, key := range keys {
		if text := v.Get(key).Text(); text != "" {
			return text
		}
	}
	return ""
}

func firstNonEmpty(a, b string) string {
	if a != "" {
		return a
	}
	return b
}
