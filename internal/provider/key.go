package provider

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"
	"unicode"
)

// Lookup reads an environment variable.
type Lookup func(name string) (string, bool)

// KeySource says where a provider's key is. At most one member is set; only that
// source is searched. None means that the provider needs no key.
type KeySource struct {
	// Env is a variable's name.
	Env string
	// File is a path; a file that others can read is refused.
	File string
	// Command is run by the shell; its standard output is the key.
	Command string
}

// The bounds of reading a key.
const (
	keyCommandTimeout = 10 * time.Second
	maxKeyBytes       = 8 << 10
)

// KeyMissingError says that a provider's key could not be had, and why. It names
// the source, never a value.
type KeyMissingError struct {
	Provider string
	// Key is where the key was looked for, Source its name in messages.
	Key    KeySource
	Source string
	// Reason says what is wrong with it: "is not set".
	Reason string
}

// Error implements error.
func (e *KeyMissingError) Error() string {
	return fmt.Sprintf("no key for provider %s: %s %s", e.Provider, e.Source, e.Reason)
}

// Code is the error code.
func (e *KeyMissingError) Code() string { return CodeKeyMissing }

// Remediation is the next step: what to set, and where.
func (e *KeyMissingError) Remediation() string {
	return fmt.Sprintf("%s, then submit again; or choose another provider with --provider; or %s", e.Key.mend(e.Provider), HostInstead)
}

// Describe names the source for messages; empty when no key is needed.
func (s KeySource) Describe() string {
	switch {
	case s.Env != "":
		return s.Env
	case s.File != "":
		return "the key file " + s.File
	case s.Command != "":
		return "the key command"
	}
	return ""
}

// mend says how the source gives a key: what to set, and where.
func (s KeySource) mend(providerName string) string {
	switch {
	case s.Env != "":
		return fmt.Sprintf("set %s in the environment of the worker (`tutti worker` or `tutti dev`) and restart it, or name another place by keyFile or keyCommand under providers.%s in the worker's tutti.yaml", s.Env, providerName)
	case s.File != "":
		return fmt.Sprintf("write the key into %s on the worker's machine and run chmod 600 on it", s.File)
	case s.Command != "":
		return fmt.Sprintf("see that keyCommand under providers.%s in the worker's tutti.yaml prints the key, as the worker's user", providerName)
	}
	return fmt.Sprintf("name the place of a key by apiKeyEnv, keyFile or keyCommand under providers.%s in the worker's tutti.yaml", providerName)
}

// Resolve reads the key. Without a source it is empty. Every failure is a
// *KeyMissingError, apart from the context's own error.
func (s KeySource) Resolve(ctx context.Context, providerName string, env Lookup) (string, error) {
	if s == (KeySource{}) {
		return "", nil
	}
	key, reason := s.read(ctx, env)
	if err := ctx.Err(); err != nil {
		return "", fmt.Errorf("read the key of provider %s: %w", providerName, err)
	}
	key = strings.TrimSpace(key)
	if reason == "" && key == "" {
		reason = "is empty"
	}
	if reason == "" && strings.ContainsFunc(key, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) || r > unicode.MaxASCII }) {
		reason = "holds more than a key: it has white space or characters that a key cannot have"
	}
	if reason != "" {
		return "", &KeyMissingError{Provider: providerName, Key: s, Source: s.Describe(), Reason: reason}
	}
	return key, nil
}

// read returns the raw key, or the reason why there is none.
func (s KeySource) read(ctx context.Context, env Lookup) (key, reason string) {
	switch {
	case s.Env != "":
		value, ok := env(s.Env)
		if !ok {
			return "", "is not set"
		}
		return value, ""
	case s.File != "":
		return readKeyFile(s.File)
	}
	return runKeyCommand(ctx, s.Command)
}

func readKeyFile(path string) (key, reason string) {
	file, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return "", "does not exist"
	}
	if err != nil {
		return "", "cannot be opened"
	}
	defer func() { _ = file.Close() }()
	info, err := file.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return "", "is not a regular file"
	}
	if info.Mode().Perm()&0o077 != 0 {
		return "", fmt.Sprintf("can be used by others (mode %04o); run chmod 600 on it", info.Mode().Perm())
	}
	raw, err := io.ReadAll(io.LimitReader(file, maxKeyBytes+1))
	if err != nil || len(raw) > maxKeyBytes {
		return "", "cannot be read or is too long for a key"
	}
	return string(raw), ""
}

// runKeyCommand runs the command for a bounded time. What it writes to standard
// error may hold anything and is dropped.
func runKeyCommand(ctx context.Context, command string) (key, reason string) {
	ctx, cancel := context.WithTimeout(ctx, keyCommandTimeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, "/bin/sh", "-c", command)
	cmd.WaitDelay = time.Second
	out := &keyBuffer{}
	cmd.Stdout = out
	err := cmd.Run()
	switch {
	case ctx.Err() != nil:
		return "", fmt.Sprintf("did not end within %s", keyCommandTimeout)
	case out.full:
		return "", "wrote more than a key"
	case err != nil:
		return "", "failed; run it by hand to see why"
	}
	return string(out.text), ""
}

// keyBuffer takes what a key command writes, up to the length of a key.
type keyBuffer struct {
	text []byte
	full bool
}

// Write implements io.Writer.
func (b *keyBuffer) Write(p []byte) (int, error) {
	if len(b.text)+len(p) > maxKeyBytes {
		b.full = true
		return 0, io.ErrShortWrite
	}
	b.text = append(b.text, p...)
	return len(p), nil
}
