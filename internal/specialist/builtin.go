package specialist

import "embed"

// builtInFiles holds the personas that come with the binary. They pin no model
// and list no tools: those are the user's to choose.
//
//go:embed builtin/*.md
var builtInFiles embed.FS
