package config

import (
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/tutti-dev/tutti/internal/definition"
)

// checkName accepts what may be a tenant, a principal or another name that
// Temporal and the stores take as text.
func checkName(value string) error {
	switch {
	case value == "":
		return refuse("give it a value", "is empty")
	case len(value) > maxNameBytes:
		return refuse("shorten it", "has %d bytes, the limit is %d", len(value), maxNameBytes)
	case !utf8.ValidString(value) || strings.ContainsRune(value, 0):
		return refuse("write plain UTF-8 text", "is not UTF-8 text without NUL")
	}
	return nil
}

// checkBuild accepts what Temporal takes as a build ID.
func checkBuild(value string) error {
	if strings.HasPrefix(value, "__") {
		return refuse("write it without", "begins with __, which Temporal keeps for itself")
	}
	return checkName(value)
}

// checkDeployment accepts what Temporal takes as a deployment's name. It writes a
// version as name and build with one of these signs between them.
func checkDeployment(value string) error {
	if strings.ContainsAny(value, ".:") {
		return refuse("use another sign, like -", "holds a dot or a colon: %s", definition.Quote(value))
	}
	return checkBuild(value)
}

// checkModel accepts what may name a model. Providers know no spaces in names,
// and one in ours is the trace of a line that was pasted whole.
func checkModel(value string) error {
	if err := checkName(value); err != nil {
		return err
	}
	if strings.ContainsFunc(value, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }) {
		return refuse("write the model's name alone", "holds a space: %s", definition.Quote(value))
	}
	return nil
}

func checkPath(value string) error {
	switch {
	case strings.TrimSpace(value) == "":
		return refuse("give it a path", "is empty")
	case strings.ContainsRune(value, 0):
		return refuse("write a path", "holds a NUL byte")
	case strings.HasPrefix(value, "~") && value != "~" && !strings.HasPrefix(value, "~/"):
		return refuse("write the path in full", "begins with %s, and only ~/ is understood", definition.Quote(value))
	}
	return nil
}

// checkVariableName accepts the name of an environment variable. It does not
// repeat what it refuses, because that is likely to be the key itself.
func checkVariableName(value string) error {
	for i, r := range value {
		letter := r == '_' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z'
		if !letter && (i == 0 || r < '0' || r > '9') {
			return refuse("put the key into a variable and write that variable's name", "is not the name of a variable")
		}
	}
	if value == "" {
		return refuse("write the name of the variable that holds the key", "is empty")
	}
	return nil
}

func checkCommand(value string) error {
	switch {
	case strings.TrimSpace(value) == "":
		return refuse("write a command that prints the key", "is empty")
	case strings.ContainsRune(value, 0):
		return refuse("write one command", "holds a NUL byte")
	}
	return nil
}

// baseURL is the address below which a provider's endpoints are. It does not
// repeat what it refuses, because that may hold a password or a key.
func baseURL[T any](key string, of func(*T) *string) field[T] {
	f := text(key, of, checkBaseURL)
	check := f.set
	f.set = func(t *T, value string) error { return check(t, strings.TrimRight(value, "/")) }
	return f
}

func checkBaseURL(value string) error {
	const next = "write it as in https://host/v1"
	u, err := url.Parse(value)
	switch {
	case err != nil:
		return refuse(next, "is no URL")
	case u.Scheme != "http" && u.Scheme != "https":
		return refuse(next, "begins neither with http:// nor with https://")
	case u.Hostname() == "":
		return refuse(next, "has no host")
	case u.User != nil:
		return refuse("use apiKeyEnv, keyFile or keyCommand", "holds credentials")
	case u.RawQuery != "" || u.ForceQuery || strings.Contains(value, "#"):
		return refuse(next, "holds a query or a fragment")
	}
	return nil
}

// providerName says whether a name fits into task queues and executors.
func providerName(name string) bool {
	if name == "" || len(name) > 63 || name[0] == '-' {
		return false
	}
	return strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789-") == ""
}
