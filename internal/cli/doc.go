// Package cli is the command line: it turns words into calls of internal/app and
// records into text. It decides nothing about runs.
//
// One verb stands in one file. Everything that belongs to the process (arguments,
// environment, streams, signals) comes in through Process and nothing else
// touches it. Errors become one line and an exit code in one place, failure.go.
//
// Results go to standard output and everything said about them to standard
// error, so that output can be piped.
package cli
