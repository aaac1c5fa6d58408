package cli

import (
	"os"
	"time"
)

func tested() {
	_ = os.Getenv("HOME")
	time.Sleep(time.Second) // [want]
}
