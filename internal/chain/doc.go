// Package chain knows which specialists work on a request, in which order, and
// which chain suits a request.
//
// Vocabulary. A Chain is a named graph of tasks; an edge is a need, and a task may
// start when all that it needs is terminal. A chain comes from a YAML file, from a
// list "a -> b -> c", in which each task needs all earlier ones, or from the
// binary. A Library is every chain that a user can name. Plan answers
// a request that names no chain with the chain that suits it, by rules that are data.
//
//	.tutti/chains ──────┐                        "a -> b -> c" ─┐
//	user configuration ─┼─▶ Library ──Resolve──▶ Chain ◀────────┘
//	built-in ───────────┘      ▲                   │ Validate(specialists)
//	                 Plan(request)                 ▼ Version
//
// Invariants. A Chain that Parse or ParseList returned has at least one task, no
// cycle, unique IDs, and needs that exist; Seq is a task's place in the file, from
// 1, and says nothing of when it runs. Whether the specialists exist is another
// question, because the catalogue may change after the file was read: Validate
// answers it. A file that is refused keeps its name, so that nobody runs another
// chain of the same name without noticing. Version and Plan are pure, and a
// plan always names a chain.
package chain
