package mcp

import (
	"encoding/json"
	"strings"
	"unicode"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/tutti-dev/tutti/internal/run"
)

// caller is what a host says of itself, apart from what its model says.
type caller struct {
	// role is the host's name in kebab-case, empty when it named none.
	role          string
	name, version string
	session       string
	// model is the one in the host's own metadata: host-declared.
	model string
	// callID is the host's own ID of this call, by which it would repeat it.
	callID string
}

// nobody is the holder's role of a host without a name.
const nobody = "mcp"

// holder is who holds a claim: the principal and the host's session, or its role.
func (c caller) holder(principal string) string {
	for _, who := range []string{c.session, c.role} {
		if who != "" {
			return principal + "/" + who
		}
	}
	return principal + "/" + nobody
}

// Where hosts put what they say of a call. Codex keeps session and model together
// under turnMetadata (its pull requests 15190 and 21219).
const (
	metaClaudeCall  = "claudecode/toolUseId"
	metaCodexCall   = "callId"
	metaCodexTurn   = "x-codex-turn-metadata"
	metaVSCode      = "vscode.conversationId"
	metaSession     = "sessionId"
	metaSessionTurn = "session_id"
	envClaude       = "CLAUDE_CODE_SESSION_ID"
	envCopilot      = "COPILOT_AGENT_SESSION_ID"
)

// longestName bounds what a host may call itself, its session and its model.
const longestName = 120

func (s *Server) callerOf(request *sdk.CallToolRequest) caller {
	var c caller
	if info := request.ClientInfo(); info != nil {
		c.name, c.version = clean(info.Name), clean(info.Version)
		c.role = kebab(c.name)
	}
	meta := request.Params.GetMeta()
	turn := object(meta[metaCodexTurn])
	c.model = clean(word(turn["model"]))
	ofClaude, _ := s.lookup(envClaude)
	ofCopilot, _ := s.lookup(envCopilot)
	for _, session := range []string{word(meta[metaSession]), word(turn[metaSessionTurn]), word(meta[metaVSCode]), ofClaude, ofCopilot} {
		// The holder's last slash parts principal and session.
		if session = strings.ReplaceAll(clean(session), "/", "-"); session != "" {
			c.session = session
			break
		}
	}
	c.callID = callID(meta, c.session)
	return c
}

// callID is the host's ID of the call. Codex's is unique in a session only.
func callID(meta map[string]any, session string) string {
	if id := word(meta[metaClaudeCall]); id != "" {
		return metaClaudeCall + ":" + id
	}
	if id := word(meta[metaCodexCall]); id != "" && session != "" {
		return "codex:" + session + ":" + id
	}
	return ""
}

func word(value any) string {
	s, _ := value.(string)
	return s
}

// object reads metadata that some versions send as an object and some as its JSON.
func object(value any) map[string]any {
	switch v := value.(type) {
	case map[string]any:
		return v
	case string:
		var decoded map[string]any
		if json.Unmarshal([]byte(v), &decoded) == nil {
			return decoded
		}
	}
	return nil
}

// clean makes a name fit for a record: one line, valid, short.
func clean(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, ""))
	return run.Clip(strings.Join(strings.Fields(s), " "), longestName)
}

// kebab writes a name in kebab-case: `Claude Code` and `claudeCode` alike become
// claude-code.
func kebab(name string) string {
	var b strings.Builder
	before := rune(0)
	for _, r := range name {
		letter := unicode.IsLetter(r) || unicode.IsDigit(r)
		if letter && unicode.IsUpper(r) && unicode.IsLower(before) || !letter {
			b.WriteByte('-')
		}
		if letter {
			b.WriteRune(unicode.ToLower(r))
		}
		before = r
	}
	return strings.Join(strings.FieldsFunc(b.String(), func(r rune) bool { return r == '-' }), "-")
}
