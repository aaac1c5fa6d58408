// Package config reads the one configuration of a process and refuses what it
// does not understand.
//
// Vocabulary. A setting has a dotted key (`limits.park`), a value, and an
// Origin: the place where the value was written. Settings come in layers, each
// over the one before: built-in defaults, the file (tutti.yaml), the TUTTI_*
// variables, flags. The variable of a key is its name in capitals
// (`limits.park` is TUTTI_LIMITS_PARK). Aliases of models and the providers are
// written in the file only.
//
// Shape. Every setting is one row of a table that knows how to check, store and
// show it (settings and providerSettings); the ranges stand in the rows. Load
// walks the layers over the table. The environment comes in as an Env, so that
// the package asks the operating system for nothing but the file.
//
// Invariants. An unknown key, a key that stands twice and a value out of range
// are an *Error with file, line and next step; nothing is ignored and nothing
// is guessed. What is unset has its default, and an explicit 0 is a value where
// it means something. Every layer is checked, also where another one covers it.
// No secret is stored or repeated: keys are named by where they are, and the
// database's address is a Secret.
package config
