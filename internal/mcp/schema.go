package mcp

import "strings"

// argument is one argument of a tool.
type argument struct {
	name, kind, description string
	required                bool
	oneOf                   []string
	// parts are the fields of an argument that is an object.
	parts []argument
}

// required marks arguments that a call cannot do without.
func required(a argument) argument {
	a.required = true
	return a
}

func text(name, description string) argument {
	return argument{name: name, kind: "string", description: description}
}

func number(name, description string) argument {
	return argument{name: name, kind: "integer", description: description}
}

func flag(name, description string) argument {
	return argument{name: name, kind: "boolean", description: description}
}

func choice(name, description string, values ...string) argument {
	return argument{name: name, kind: "string", description: description, oneOf: values}
}

// schema is the JSON schema of an object with these fields.
func schema(arguments []argument) map[string]any {
	properties := make(map[string]any, len(arguments))
	needed := []string{}
	for _, a := range arguments {
		properties[a.name] = a.schema()
		if a.required {
			needed = append(needed, a.name)
		}
	}
	object := map[string]any{"type": "object", "properties": properties, "additionalProperties": false}
	if len(needed) > 0 {
		object["required"] = needed
	}
	return object
}

func (a argument) schema() map[string]any {
	if a.kind == "object" {
		object := schema(a.parts)
		object["description"] = a.description
		return object
	}
	property := map[string]any{"type": a.kind, "description": strings.TrimSpace(a.description)}
	if len(a.oneOf) > 0 {
		property["enum"] = a.oneOf
	}
	return property
}
