package deploy_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/testenv"
)

// commandLines finds the command lines of the binary in shell text: what stands
// after `tutti` where a command may stand.
func commandLines(shell string) [][]string {
	var found [][]string
	for line := range strings.Lines(strings.ReplaceAll(shell, "\\\n", " ")) {
		for _, command := range commands(line) {
			for len(command) > 0 && assignment.MatchString(command[0]) {
				command = command[1:]
			}
			if len(command) > 1 && (command[0] == "tutti" || command[0] == ".bin/tutti") {
				found = append(found, command[1:])
			}
		}
	}
	return found
}

var assignment = regexp.MustCompile(`^[A-Z_]+=`)

// commands splits a line of shell into its commands and these into words, as far
// as our own documents need it: quotes, comments, pipes, redirections, $( ).
func commands(line string) [][]string {
	var all [][]string
	var words []string
	var word strings.Builder
	begun, quote := false, rune(0)
	endWord := func() {
		if begun {
			words = append(words, word.String())
		}
		word.Reset()
		begun = false
	}
	endCommand := func() {
		endWord()
		if len(words) > 0 {
			all = append(all, words)
		}
		words = nil
	}
	for _, r := range strings.TrimSpace(line) {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(r)
		case r == '"' || r == '\'':
			begun, quote = true, r
		case r == '#' && !begun:
			endCommand()
			return all
		case strings.ContainsRune("|&;()<>", r):
			endCommand()
		case r == ' ' || r == '\t':
			endWord()
		default:
			begun = true
			word.WriteRune(r)
		}
	}
	endCommand()
	return all
}

func TestCommandLinesAreFoundWhereTheyStand(t *testing.T) {
	t.Parallel()
	require.Equal(t, [][]string{
		{"submit", "two words", "-", "--chain", "a -> b"}, {"run", "list"}, {"dev", "--port", "1"},
	}, commandLines(`git diff | tutti submit "two words" - \
    --chain 'a -> b'   # tutti nothing
x=$(A=b .bin/tutti run list)
tutti dev --port 1 > log 2>&1 &
echo tutti is a word here`))
}

// documented are the command lines in the files that people copy from.
func documented(t *testing.T) map[string][][]string {
	t.Helper()
	read := func(name string) string {
		content, err := os.ReadFile(name)
		require.NoError(t, err)
		return string(content)
	}
	readme := ""
	for i, part := range strings.Split(read("../README.md"), "```") {
		if i%2 == 1 {
			readme += part + "\n"
			continue
		}
		for _, span := range regexp.MustCompile("`(tutti [^`]+)`").FindAllStringSubmatch(part, -1) {
			readme += strings.ReplaceAll(span[1], "\n", " ") + "\n"
		}
	}
	demo := strings.ReplaceAll(read("demo.sh"), `"$tutti" "$@"`, "")
	demo = strings.ReplaceAll(demo, `"$tutti"`, "tutti")
	demo = regexp.MustCompile(`\$(ui_)?port\b`).ReplaceAllString(demo, "8000")
	demo = regexp.MustCompile(`(?m)^show `).ReplaceAllString(demo, "tutti ")
	comments := regexp.MustCompile(`(?m)^# *`)
	lines := map[string][][]string{
		"README.md":    commandLines(readme),
		"demo.sh":      commandLines(demo),
		"compose.yaml": commandLines(comments.ReplaceAllString(read("compose.yaml"), "")),
	}
	for _, s := range ours(t) {
		lines["compose.yaml"] = append(lines["compose.yaml"], s.Command)
		if check := s.Healthcheck.Test; len(check) > 2 {
			lines["compose.yaml"] = append(lines["compose.yaml"], check[2:])
		}
	}
	cmd := regexp.MustCompile(`(?m)^CMD \["([a-z]+)"\]$`).FindStringSubmatch(read("Dockerfile"))
	require.NotNil(t, cmd)
	lines["Dockerfile"] = [][]string{cmd[1:]}
	return lines
}

func TestEveryDocumentedCommandLineIsTheBinarys(t *testing.T) {
	t.Parallel()
	binary := testenv.Binary(t)
	least := map[string]int{"README.md": 10, "demo.sh": 6, "compose.yaml": 4, "Dockerfile": 1}
	for file, lines := range documented(t) {
		require.GreaterOrEqual(t, len(lines), least[file], "%s: too few were found", file)
		for _, line := range lines {
			requireUnderstood(t, binary, file, line)
		}
	}
}

// requireUnderstood asks for help with the whole line: a flag that is unknown is
// refused, and the help is that of the command that the line reaches.
func requireUnderstood(t *testing.T, binary, file string, line []string) {
	t.Helper()
	p, code := testenv.Run(t, time.Minute, testenv.ProcessOptions{Path: binary, Args: append(slices.Clone(line), "--help")})
	require.Zerof(t, code, "%s: tutti %s: %s", file, strings.Join(line, " "), p.Output())
	usage := regexp.MustCompile(`(?m)^Usage:\n  tutti((?: [a-z-]+)+)`).FindStringSubmatch(p.Stdout())
	require.NotNilf(t, usage, "%s: tutti %s reaches no command", file, strings.Join(line, " "))
	reached := strings.Fields(usage[1])
	require.GreaterOrEqual(t, len(line), len(reached))
	require.Equalf(t, reached, line[:len(reached)], "%s: tutti %s: help of another command", file, strings.Join(line, " "))
	if strings.Contains(p.Stdout(), "Available Commands:") && len(line) > len(reached) {
		require.Truef(t, strings.HasPrefix(line[len(reached)], "-"), "%s: tutti %s: no such subcommand", file, strings.Join(line, " "))
	}
}

func TestALineThatIsNotTheBinarysWouldBeNoticed(t *testing.T) {
	t.Parallel()
	binary := testenv.Binary(t)
	for _, line := range [][]string{{"submit", "x", "--no-such-flag"}, {"dev", "--port", "none"}} {
		_, code := testenv.Run(t, time.Minute, testenv.ProcessOptions{Path: binary, Args: append(slices.Clone(line), "--help")})
		require.NotZero(t, code, "%v", line)
	}
	p, _ := testenv.Run(t, time.Minute, testenv.ProcessOptions{Path: binary, Args: []string{"nonsense", "--help"}})
	require.NotRegexp(t, `(?m)^Usage:\n  tutti [a-z]`, p.Stdout(), "an unknown command reaches none")
}
