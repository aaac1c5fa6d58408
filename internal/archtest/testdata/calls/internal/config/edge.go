package config

import "os"

func edge() (string, bool) {
	os.Exit(1) // [want] the edge does not end the process either
	return os.LookupEnv("TUTTI_CONFIG")
}
