package provider

import (
	"strings"
	"unicode"
)

// Reading is what a dialect found in the body of a 2xx that holds no error.
type Reading struct {
	// Text is the visible answer, Reasoning what the model said to itself.
	Text, Reasoning string
	// Reasoned says that reasoning came, also when it came encrypted.
	Reasoned bool
	// Refused, Filtered and WantsTool are what the body says beside the finish
	// reason.
	Refused, Filtered, WantsTool bool
	// Finish is the reason as the dialect has it, Native as the server behind a
	// gateway had it.
	Finish, Native string
	Model          string
	Usage          Usage
}

// Read is a dialect's view of a body. False means that the body is not the
// promised shape.
type Read func(Body) (Reading, bool)

// Judge decides what became of an exchange: the transport's failure first, then
// the status with the body, then the size, an error anywhere in the body of a 2xx,
// its shape, the finish reason, and the text.
func Judge(x Exchange, ep Endpoint, req Request, read Read) Outcome {
	guard := NewGuard(ep, req)
	if x.Failure != nil {
		return transportFailure(x, guard)
	}
	if x.Succeeded() && x.Oversize {
		out := outcomeOf(x, guard)
		out.Class = ResponseTooLarge
		return out
	}
	body := ReadBody(x.Body)
	reading, shaped := read(body)
	if c := complain(body, !x.Succeeded()); c.found || !x.Succeeded() {
		return annotate(refuse(x, c, guard), reading, guard)
	}
	out := annotate(outcomeOf(x, guard), reading, guard)
	if !shaped && !reading.Filtered {
		out.Class = MalformedBody
		return out
	}
	return conclude(out, reading, req)
}

// annotate adds what a body says beside its text. A refused call may have used
// tokens too.
func annotate(out Outcome, r Reading, g Guard) Outcome {
	out.Usage = r.Usage
	out.ResolvedModel = g.Model(r.Model)
	out.FinishReason, out.NativeFinishReason = g.Token(r.Finish), g.Token(r.Native)
	out.ReasoningReturned = r.Reasoned
	return out
}

// conclude classifies a well-shaped answer by its finish reason and text.
func conclude(out Outcome, r Reading, req Request) Outcome {
	text, thought, tagged := splitThinking(r.Text)
	reasoned := r.Reasoned || tagged
	out.ReasoningReturned = reasoned
	out.Class = classOfAnswer(r, visible(text), reasoned)
	if !out.Class.Success() {
		return out
	}
	out.Text = Clean(text)
	if req.Surfaces() {
		out.Reasoning = Clean(strings.TrimSpace(r.Reasoning + "\n" + thought))
	}
	return out
}

func classOfAnswer(r Reading, hasText, reasoned bool) Class {
	kind, _ := finishKindOf(r.Finish)
	switch {
	case r.Refused, kind == finishRefusal:
		return Refusal
	case kind == finishFilter, r.Filtered && !hasText:
		return ContentFiltered
	case kind == finishError:
		return ServerError
	case kind == finishOverloaded:
		return Overloaded
	case kind == finishTimeout:
		return Timeout
	case kind == finishPaused:
		return Paused
	case hasText && (kind == finishLength || kind == finishWindow):
		return Truncated
	case hasText:
		return OK
	case r.WantsTool, kind == finishTools:
		return ToolCallsOnly
	case reasoned:
		return ReasoningOnly
	case kind == finishWindow:
		return ContextLengthExceeded
	}
	return EmptyContent
}

// Clean makes text storable everywhere: NUL and invalid UTF-8 become U+FFFD.
func Clean(text string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\x00", "\uFFFD")
}

// visible says whether a reader would see anything.
func visible(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool {
		switch r {
		case '\u2800', '\u3164', '\u115f', '\u1160', '\uffa0': // blanks that Unicode counts as letters or symbols
			return false
		}
		return !unicode.IsSpace(r) && !unicode.IsControl(r) && !unicode.Is(unicode.Cf, r) && !unicode.Is(unicode.Mn, r)
	})
}
