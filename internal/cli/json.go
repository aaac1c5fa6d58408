package cli

import "encoding/json"

// printJSON prints a value as JSON on standard output.
func (c *command) printJSON(v any) error {
	encoder := json.NewEncoder(c.process.Stdout)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(v)
}
