package cli

import (
	"log"
	"os"
	"time"
)

func process() {
	if os.Getenv("HOME") == "" { // [want]
		log.Fatal("no home") // [want]
	}
	os.Stdout.Close()       // [want]
	time.Sleep(time.Second) // [want]
	os.Exit(len(os.Args))   // [want] [want]
	_, _ = os.ReadFile("a file is no process edge")
	_ = time.Now()
}
