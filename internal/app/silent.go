package app

// silent is a Temporal logger that says nothing, for connections that are only tried.
type silent struct{}

// Debug says nothing.
func (silent) Debug(string, ...any) {}

// Info says nothing.
func (silent) Info(string, ...any) {}

// Warn says nothing.
func (silent) Warn(string, ...any) {}

// Error says nothing.
func (silent) Error(string, ...any) {}
