package provider

import (
	"bytes"
	"encoding/json"
	"unicode/utf16"
)

// Body is a provider's body taken apart into the JSON values that it holds.
// Normally there is one; a stream that nobody asked for has one an event.
type Body struct {
	// Values are the JSON values in the order in which they came.
	Values []Node
	// Stream says that the body was written as server-sent events.
	Stream bool
	// Done says that the stream ended with its end marker.
	Done bool
	// plain is the body as text when it is neither JSON nor markup; it is used to
	// recognise a refusal and never shown.
	plain string
}

// ReadBody takes a body apart. It forgives what gateways do to JSON: a byte order
// mark, UTF-16, blank lines and comments as keep-alive before the value, an end
// marker or other text after it, bare NaN and raw control characters. What is not
// JSON at all gives no values.
func ReadBody(raw []byte) Body {
	raw = skipPadding(decodeText(raw))
	if len(raw) == 0 {
		return Body{}
	}
	if isEventStream(raw) {
		return readEvents(raw)
	}
	values, rest := decodeValues(raw)
	if len(values) == 0 {
		if raw[0] == '<' {
			return Body{}
		}
		return Body{plain: string(raw)}
	}
	body := Body{Values: values}
	if tail := skipPadding(rest); isEventStream(tail) {
		events := readEvents(tail)
		body.Values = append(body.Values, events.Values...)
		body.Done = events.Done
	}
	return body
}

// maxValues bounds the values of one body; a stream of more events counts as cut.
const maxValues = 1 << 16

// decodeValues decodes the leading JSON values and returns what follows them. When
// the first one does not decode, it is tried once more after a repair.
func decodeValues(raw []byte) (values []Node, rest []byte) {
	values, rest = decodeStrict(raw)
	if len(values) > 0 || (raw[0] != '{' && raw[0] != '[') {
		return values, rest
	}
	return decodeStrict(repair(raw))
}

func decodeStrict(raw []byte) (values []Node, rest []byte) {
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	end := int64(0)
	for len(values) < maxValues {
		var v any
		if err := decoder.Decode(&v); err != nil {
			return values, raw[end:]
		}
		values = append(values, NewNode(v))
		end = decoder.InputOffset()
	}
	return values, raw[end:]
}

// decodeText removes a byte order mark and turns marked UTF-16 into UTF-8.
func decodeText(raw []byte) []byte {
	switch {
	case bytes.HasPrefix(raw, []byte("\xef\xbb\xbf")):
		return raw[3:]
	case bytes.HasPrefix(raw, []byte("\xff\xfe")):
		return fromUTF16(raw[2:], 0, 1)
	case bytes.HasPrefix(raw, []byte("\xfe\xff")):
		return fromUTF16(raw[2:], 1, 0)
	}
	return raw
}

func fromUTF16(raw []byte, low, high int) []byte {
	units := make([]uint16, len(raw)/2)
	for i := range units {
		units[i] = uint16(raw[2*i+high])<<8 | uint16(raw[2*i+low])
	}
	return []byte(string(utf16.Decode(units)))
}

// skipPadding drops what providers send to keep a connection alive: white space,
// NUL bytes, and comment lines of an event stream.
func skipPadding(raw []byte) []byte {
	for {
		raw = bytes.TrimLeft(raw, " \t\r\n\x00")
		if len(raw) == 0 || raw[0] != ':' {
			return raw
		}
		newline := bytes.IndexByte(raw, '\n')
		if newline < 0 {
			return nil
		}
		raw = raw[newline+1:]
	}
}
