package definition

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
)

// MaxExtrasBytes bounds the extras of one specialist or provider, as JSON: they
// travel in the input of every run that uses them.
const MaxExtrasBytes = 4 << 10

// maxExactInteger is the greatest whole number that every JSON reader keeps.
const maxExactInteger = 1 << 53

// jsonNumber is how JSON writes numbers. YAML knows more ways, which two readers
// do not always understand alike.
var jsonNumber = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$`)

// Extras reads a mapping of request members that a vendor understands, into the
// values that JSON has: nil, bool, int, float64, string, []any, map[string]any.
// Members that tutti writes itself are refused, since what they say would be lost
// or would undo a limit.
func Extras(f Field) (map[string]any, *Problem) {
	if f.Value.Kind != Map {
		return nil, &Problem{Pos: f.Value.Pos, Message: f.Key + " must be a mapping", NextStep: "write the members below it, like top_p: 0.9"}
	}
	for _, member := range f.Value.Fields {
		if instead, owned := ownedMembers()[member.Key]; owned {
			return nil, &Problem{Pos: member.Pos, Message: f.Key + " cannot hold " + Quote(member.Key), NextStep: instead}
		}
	}
	value, problem := plain(f.Value)
	if problem != nil {
		return nil, problem
	}
	members, _ := value.(map[string]any)
	encoded, err := json.Marshal(members)
	if err != nil || len(encoded) > MaxExtrasBytes {
		return nil, &Problem{
			Pos: f.Pos, Message: fmt.Sprintf("%s has more than %d bytes", f.Key, MaxExtrasBytes),
			NextStep: "keep to the members that the model needs", Cause: err,
		}
	}
	return members, nil
}

// ownedMembers are the members of a request that tutti writes, with what to do
// instead.
func ownedMembers() map[string]string {
	const (
		prompt  = "the prompt is written by tutti"
		ceiling = "write maxTokens: for it"
		single  = "one whole answer is asked for; remove the line"
	)
	return map[string]string{
		"model": "write model: for it", "messages": prompt, "system": prompt, "prompt": prompt, "input": prompt,
		"stream": single, "stream_options": single, "n": single,
		"max_tokens": ceiling, "max_completion_tokens": ceiling, "max_output_tokens": ceiling,
		"temperature": "write temperature: for it",
	}
}

// plain turns a node into a value of JSON.
func plain(n Node) (any, *Problem) {
	switch n.Kind {
	case Null:
		return nil, nil
	case Text:
		return n.Text, nil
	case Bool:
		return n.Text == "true" || n.Text == "True" || n.Text == "TRUE", nil
	case Number:
		return number(n)
	case List:
		return plainList(n)
	case Map:
		return plainMap(n)
	case Other:
	}
	return nil, &Problem{Pos: n.Pos, Message: "anchors, aliases and tags are not read here", NextStep: "write the value out"}
}

func number(n Node) (any, *Problem) {
	refused := &Problem{Pos: n.Pos, Message: Quote(n.Text) + " is not a number that JSON has", NextStep: "write plain digits, or put it in quotes if it is text"}
	if !jsonNumber.MatchString(n.Text) {
		return nil, refused
	}
	if whole, err := strconv.ParseInt(n.Text, 10, 64); err == nil {
		if whole > maxExactInteger || whole < -maxExactInteger {
			return nil, refused
		}
		return int(whole), nil
	}
	value, err := strconv.ParseFloat(n.Text, 64)
	if err != nil {
		return nil, refused
	}
	return value, nil
}

func plainList(n Node) (any, *Problem) {
	list := make([]any, 0, len(n.Items))
	for _, item := range n.Items {
		value, problem := plain(item)
		if problem != nil {
			return nil, problem
		}
		list = append(list, value)
	}
	return list, nil
}

func plainMap(n Node) (any, *Problem) {
	members := make(map[string]any, len(n.Fields))
	for _, field := range n.Fields {
		if _, twice := members[field.Key]; twice {
			return nil, &Problem{Pos: field.Pos, Message: "key " + Quote(field.Key) + " stands twice", NextStep: "keep one of them"}
		}
		value, problem := plain(field.Value)
		if problem != nil {
			return nil, problem
		}
		members[field.Key] = value
	}
	return members, nil
}
