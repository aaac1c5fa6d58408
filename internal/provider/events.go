package provider

import "bytes"

// isEventStream says whether a body, its padding removed, is a stream of
// server-sent events.
func isEventStream(raw []byte) bool {
	for _, field := range []string{"data:", "event:", "id:", "retry:"} {
		if bytes.HasPrefix(raw, []byte(field)) {
			return true
		}
	}
	return false
}

// readEvents decodes the data of every event. An event that is named error and
// has no error member gets one, so that it is found like any other.
func readEvents(raw []byte) Body {
	body := Body{Stream: true}
	raw = bytes.ReplaceAll(raw, []byte("\r\n"), []byte("\n"))
	for event := range bytes.SplitSeq(raw, []byte("\n\n")) {
		if len(body.Values) >= maxValues {
			break
		}
		name, data := splitEvent(event)
		if len(data) == 0 {
			continue
		}
		if string(data) == "[DONE]" {
			body.Done = true
			continue
		}
		values, rest := decodeValues(data)
		body.Done = body.Done || string(bytes.TrimSpace(rest)) == "[DONE]"
		for _, v := range values {
			if name == "error" && !v.Get("error").Present() {
				v = NewNode(map[string]any{"error": v.value})
			}
			body.Values = append(body.Values, v)
		}
	}
	return body
}

// splitEvent returns an event's name and its data lines joined. Servers that
// separate events by one newline give several data lines that are each a whole
// value; decodeValues reads those one after another.
func splitEvent(event []byte) (name string, data []byte) {
	for line := range bytes.SplitSeq(event, []byte("\n")) {
		field, value, ok := bytes.Cut(line, []byte(":"))
		if !ok {
			continue
		}
		switch value = bytes.TrimSpace(value); string(field) {
		case "event":
			name = string(value)
		case "data":
			if len(data) > 0 {
				data = append(data, '\n')
			}
			data = append(data, value...)
		}
	}
	return name, data
}
