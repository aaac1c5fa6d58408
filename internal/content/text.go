package content

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
)

// InlineLimit is the size up to which a text travels inside a Temporal
// payload. Larger texts travel as a reference, so that histories stay small
// and the Web UI still shows the ordinary case in plain words.
const InlineLimit = 8 << 10

// Text is a text as it travels: its digest and size, and the text itself when
// it is small. A Text whose size is above zero and which carries no inline
// text is a reference to the content store.
type Text struct {
	SHA256 string `json:"sha256"`
	Size   int    `json:"size"`
	Inline string `json:"text,omitempty"`
	// Kept says that the content store has the text too, although it is inline.
	Kept bool `json:"kept,omitempty"`
}

// Of returns the text with itself inline, however large it is.
func Of(s string) Text {
	return Text{SHA256: Digest(s), Size: len(s), Inline: s}
}

// Digest returns the lower-case hex SHA-256 of s, the name of a text.
func Digest(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}

// Ref returns the same text without its inline copy.
func (t Text) Ref() Text {
	t.Inline = ""
	return t
}

// IsZero says that there is no text at all, not even an empty one.
func (t Text) IsZero() bool { return t.SHA256 == "" }

// IsRef says that the text itself has to be fetched from the content store.
func (t Text) IsRef() bool { return t.Size > 0 && t.Inline == "" }

// MarshalJSON leaves out what a reader can tell from the text itself: histories hold
// every text several times, and people read them there. A text that the store has
// too keeps its digest, by which the store knows that it is still in use.
func (t Text) MarshalJSON() ([]byte, error) {
	if t.Inline != "" && !t.Kept {
		return json.Marshal(struct { //nolint:wrapcheck // it encodes two strings
			Inline string `json:"text"`
		}{t.Inline})
	}
	type plain Text
	return json.Marshal(plain(t)) //nolint:wrapcheck // the same
}

// UnmarshalJSON reads digest and size of an inline text off the text. It also
// accepts a plain string: a run started by hand may say {"request": "…"}.
func (t *Text) UnmarshalJSON(raw []byte) error {
	if len(raw) > 0 && raw[0] == '"' {
		var s string
		if err := json.Unmarshal(raw, &s); err != nil {
			return fmt.Errorf("text: %w", err)
		}
		*t = Of(s)
		return nil
	}
	type plain Text
	var p plain
	if err := json.Unmarshal(raw, &p); err != nil {
		return fmt.Errorf("text: %w", err)
	}
	*t = Text(p)
	if t.SHA256 == "" && t.Inline != "" {
		*t = Of(t.Inline)
	}
	return nil
}
