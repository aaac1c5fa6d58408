package fakeprovider

import (
	"encoding/json"
	"strconv"
	"strings"
	"time"
)

// question is a request of either dialect, as far as it is looked at.
type question struct {
	Model    string          `json:"model"`
	Stream   bool            `json:"stream"`
	System   json.RawMessage `json:"system"`
	Messages []struct {
		Role    string          `json:"role"`
		Content json.RawMessage `json:"content"`
	} `json:"messages"`

	dialect string
	raw     []byte
}

// texts returns the system text, the last user message and the length of all.
func (q question) texts() (system, user string, bytes int) {
	system = flatten(q.System)
	bytes = len(system)
	for _, m := range q.Messages {
		text := flatten(m.Content)
		bytes += len(text)
		switch m.Role {
		case "user":
			user = text
		case "system", "developer":
			system += text
		}
	}
	return system, user, bytes
}

// flatten turns a string or an array of parts into text.
func flatten(raw json.RawMessage) string {
	var text string
	if len(raw) == 0 || json.Unmarshal(raw, &text) == nil {
		return text
	}
	var parts []struct {
		Text string `json:"text"`
	}
	if json.Unmarshal(raw, &parts) != nil {
		return string(raw)
	}
	var b strings.Builder
	for _, part := range parts {
		b.WriteString(part.Text)
	}
	return b.String()
}

// key is the name under which a model is counted: of a case without its prefix.
func (q question) key() string {
	if id, ok := caseID(q.Model); ok {
		return "case-" + id
	}
	return q.Model
}

// caseID finds the last "case-" that begins the model's name or follows a
// separator.
func caseID(model string) (string, bool) {
	for i := strings.LastIndex(model, "case-"); i >= 0; i = strings.LastIndex(model[:i], "case-") {
		if i == 0 || strings.IndexByte("/:@-_.", model[i-1]) >= 0 {
			return model[i+len("case-"):], true
		}
	}
	return "", false
}

// kind takes a model's name apart: echo, echo-<ms>, hold-<n>, fill-<bytes>.
func kind(model string) (name string, n int, ok bool) {
	if i := strings.LastIndexAny(model, "/:"); i >= 0 {
		model = model[i+1:]
	}
	if model == "echo" {
		return "echo", 0, true
	}
	name, number, found := strings.Cut(model, "-")
	n, err := strconv.Atoi(strings.TrimSuffix(number, "ms"))
	known := name == "echo" || name == "hold" || name == "fill"
	return name, n, found && err == nil && n >= 0 && known
}

func milliseconds(n int) time.Duration { return time.Duration(n) * time.Millisecond }
