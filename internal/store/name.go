package store

// The names of the stores.
const (
	NamePostgres   = "postgres"
	NameSQLite     = "sqlite"
	NameFilesystem = "filesystem"
	// NameMemory is the evaluation composition's store; it cannot be chosen.
	NameMemory = "memory"
)

// Choosable lists the stores that a configuration may name.
func Choosable() []string { return []string{NamePostgres, NameSQLite, NameFilesystem} }

// ByMode returns the store of a mode (solo, team, enterprise), and false for a
// mode that does not exist.
func ByMode(mode string) (string, bool) {
	name, ok := map[string]string{
		"solo":       NameFilesystem,
		"team":       NamePostgres,
		"enterprise": NamePostgres,
	}[mode]
	return name, ok
}
