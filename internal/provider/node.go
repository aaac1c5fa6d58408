package provider

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
)

// Node is one JSON value of a provider's answer, read without trust: a member of
// the wrong kind reads like one that is absent, so that a drifted type never
// loses a paid answer. The zero Node is an absent value.
type Node struct {
	value   any
	present bool
}

// NewNode wraps a decoded JSON value. Numbers should be json.Number.
func NewNode(value any) Node { return Node{value: value, present: true} }

// Get returns the member of an object.
func (n Node) Get(key string) Node {
	object, ok := n.value.(map[string]any)
	if !ok {
		return Node{}
	}
	v, ok := object[key]
	return Node{value: v, present: ok}
}

// At follows a path of members.
func (n Node) At(path ...string) Node {
	for _, key := range path {
		n = n.Get(key)
	}
	return n
}

// First returns the first of the members that is present and not null.
func (n Node) First(keys ...string) Node {
	for _, key := range keys {
		if v := n.Get(key); v.Present() {
			return v
		}
	}
	return Node{}
}

// Present says whether the value is there and not null.
func (n Node) Present() bool { return n.present && n.value != nil }

// IsObject says whether the value is an object.
func (n Node) IsObject() bool { _, ok := n.value.(map[string]any); return ok }

// IsArray says whether the value is an array.
func (n Node) IsArray() bool { _, ok := n.value.([]any); return ok }

// Items returns the elements of an array.
func (n Node) Items() []Node {
	array, ok := n.value.([]any)
	if !ok {
		return nil
	}
	items := make([]Node, len(array))
	for i, v := range array {
		items[i] = NewNode(v)
	}
	return items
}

// Members returns the members of an object, in no order.
func (n Node) Members() map[string]Node {
	object, ok := n.value.(map[string]any)
	if !ok {
		return nil
	}
	members := make(map[string]Node, len(object))
	for k, v := range object {
		members[k] = NewNode(v)
	}
	return members
}

// Text returns a string value, else "".
func (n Node) Text() string { s, _ := n.value.(string); return s }

// IsText says whether the value is a string.
func (n Node) IsText() bool { _, ok := n.value.(string); return ok }

// True says whether the value is the boolean true.
func (n Node) True() bool { b, _ := n.value.(bool); return b }

// Token returns a string, or a number as it was written, trimmed.
func (n Node) Token() string {
	switch v := n.value.(type) {
	case string:
		return strings.TrimSpace(v)
	case json.Number:
		return v.String()
	}
	return ""
}

// Number returns the value of a number, or of a string that holds one.
func (n Node) Number() (float64, bool) {
	f, err := strconv.ParseFloat(n.Token(), 64)
	if err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
		return 0, false
	}
	return f, true
}

// maxCount is the greatest count that is believed: above 2^53 a number that went
// through a float is no longer exact.
const maxCount = 1 << 53

// Count reads a token count. Floats and strings are accepted and a fraction is
// rounded up; what is absent, null, negative or unreadable is unknown.
func (n Node) Count() *int64 {
	f, ok := n.Number()
	if !ok || f < 0 || f > maxCount {
		return nil
	}
	return Count(int64(math.Ceil(f)))
}

// Empty says whether the value says nothing: absent, null, false, zero, blank, or
// an array or object of only such values.
func (n Node) Empty() bool {
	switch v := n.value.(type) {
	case nil:
		return true
	case bool:
		return !v
	case string:
		return strings.TrimSpace(v) == ""
	case json.Number:
		f, err := v.Float64()
		return err == nil && f == 0
	case []any:
		for _, item := range v {
			if !NewNode(item).Empty() {
				return false
			}
		}
		return true
	case map[string]any:
		for _, item := range v {
			if !NewNode(item).Empty() {
				return false
			}
		}
		return true
	}
	return false
}
