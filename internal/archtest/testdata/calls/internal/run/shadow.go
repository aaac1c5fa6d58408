package run

import "time"

type fake struct{}

func (fake) Now() int { return 0 }

func shadowed(at time.Time) int {
	time := fake{}
	return time.Now()
}

func unshadowed() time.Duration { return time.Since(time.Time{}) } // [want]
