package provider

import "strings"

// splitThinking parts an answer from a chain of thought that a server without a
// reasoning parser left in the content: leading <think> blocks, and a closing tag
// on its own line whose opening tag stood in the prompt's template. A block that is
// never closed is all thought. Tags anywhere else belong to the answer.
func splitThinking(content string) (answer, thought string, found bool) {
	answer = content
	for {
		inside, rest, ok := leadingThought(answer)
		if !ok {
			break
		}
		answer, thought, found = rest, thought+inside, true
	}
	if inside, rest, ok := orphanThought(answer); ok {
		answer, thought, found = rest, thought+inside, true
	}
	if found {
		answer = strings.TrimLeft(answer, " \t\r\n")
	}
	return answer, thought, found
}

func leadingThought(content string) (inside, rest string, ok bool) {
	trimmed := strings.TrimLeft(content, " \t\r\n")
	for _, tag := range []string{"think", "thinking", "thought", "reasoning"} {
		after, opened := strings.CutPrefix(trimmed, "<"+tag+">")
		if !opened {
			continue
		}
		inside, rest, _ = strings.Cut(after, "</"+tag+">")
		return inside, rest, true
	}
	return "", "", false
}

// orphanThought finds a closing tag alone on its line, outside any code block and
// without an opening tag before it.
func orphanThought(content string) (inside, rest string, ok bool) {
	before, after, closed := strings.Cut(content, "</think>")
	if !closed || strings.Contains(before, "<think>") || strings.Count(before, "```")%2 == 1 {
		return "", "", false
	}
	startsLine := strings.TrimSpace(before) == "" || strings.HasSuffix(strings.TrimRight(before, " \t"), "\n")
	endsLine := strings.TrimSpace(after) == "" || strings.HasPrefix(strings.TrimLeft(after, " \t\r"), "\n")
	if !startsLine || !endsLine {
		return "", "", false
	}
	return before, after, true
}
