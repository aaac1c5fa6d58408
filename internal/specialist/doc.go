// Package specialist knows the personas that tutti dispatches, and writes the
// prompts in which they are asked.
//
// Vocabulary. A Specialist is a persona: a Markdown file whose body is the
// system prompt and whose YAML front matter says how to run it. A Catalogue is
// every specialist that a user can name, from several directories in order of
// precedence, the built-in ones last. A prompt is the pair of messages, system
// and user, with which a task is put to a model; promptFormat is the number of
// the rules by which it is written.
//
//	.tutti/specialists ─┐
//	.claude/agents ─────┤ first definition of a name wins
//	user configuration ─┼──▶ Catalogue ──Get──▶ Specialist ──▶ Render ──▶ Messages
//	built-in ───────────┘                            request, upstream ─┘
//
// Invariants. The front matter is that of Claude Code's subagents and is read as
// it is: keys that tutti does not know are tolerated with a warning, because the
// files belong to somebody else, while a bad value of a key that it does know is
// refused with its place. The body goes into the prompt to the byte: it begins
// right after the line that ends the front matter and ends with the file. A file
// that is refused keeps its name, so that nobody gets another persona of the same
// name without noticing, and disturbs no other file. ID, Version, Render and the
// digests are pure: the same input gives the same bytes in every process.
package specialist
