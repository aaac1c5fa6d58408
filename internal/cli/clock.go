package cli

import "time"

// now is the time, as the process has it.
func (c *command) now() time.Time { return c.process.Now() }

// zone is where the reader's clock stands.
func (c *command) zone() *time.Location { return c.now().Location() }
