package workflows

import (
	clock "time"
)

func clocked() clock.Time {
	<-clock.After(clock.Second) // [want]
	return clock.Now()          // [want]
}
