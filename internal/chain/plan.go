package chain

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/tutti-dev/tutti/internal/definition"
)

// The bounds of what a plan reads and tells: a request says at its beginning what
// it wants, and a rationale is one sentence.
const (
	planBytes   = 64 << 10
	planFiles   = 100
	maxEvidence = 5
)

// Plan chooses a chain for a request that names none, by rules alone, and says in
// one sentence why. It knows only the names of attached files. The same request
// gets the same plan in every process, and every request gets one.
func Plan(request string, attachments []string) (chain, rationale string) {
	text := words(request)
	attachments = attachments[:min(len(attachments), planFiles)]
	first := firstMatch(text)
	var best match
	for _, r := range rules() {
		if m := r.match(text, attachments, first); m.points > best.points {
			best = m
		}
	}
	if best.points == 0 {
		return DefaultChain, fmt.Sprintf("Chain %s was chosen by default: no planning rule matches the request.", DefaultChain)
	}
	return best.chain, best.rationale()
}

// match is what one rule found in a request.
type match struct {
	chain  string
	points int
	found  []hit
	files  []string
}

// hit is a word of a rule and where the request says it.
type hit struct {
	word string
	at   int
}

func (r rule) match(text string, attachments []string, first int) match {
	m := match{chain: r.chain}
	for _, h := range r.hits(text) {
		m.found = append(m.found, h)
		m.points += weakPoints
		if slices.Contains(r.strong, h.word) {
			m.points += strongPoints - weakPoints
		}
		if h.at == first {
			m.points += firstPoints
			first = -1 // Two words may begin in one place; they are one match.
		}
	}
	for _, ending := range r.endings {
		named := func(name string) bool { return strings.HasSuffix(strings.ToLower(name), ending) }
		if i := slices.IndexFunc(attachments, named); i >= 0 {
			m.points += endingPoints
			m.files = append(m.files, attachments[i])
		}
	}
	slices.SortStableFunc(m.found, func(a, b hit) int { return cmp.Compare(a.at, b.at) })
	return m
}

// hits returns the words of the rule that stand in the text.
func (r rule) hits(text string) []hit {
	var found []hit
	for _, list := range [][]string{r.strong, r.weak} {
		for _, word := range list {
			if at := strings.Index(text, " "+word+" "); at >= 0 {
				found = append(found, hit{word, at})
			}
		}
	}
	return found
}

// firstMatch returns the place of the first word that any rule knows, or -1.
func firstMatch(text string) int {
	first := -1
	for _, r := range rules() {
		for _, h := range r.hits(text) {
			if first < 0 || h.at < first {
				first = h.at
			}
		}
	}
	return first
}

func (m match) rationale() string {
	var said, files []string
	for _, h := range m.found[:min(len(m.found), maxEvidence)] {
		said = append(said, strconv.Quote(h.word))
	}
	for _, name := range m.files[:min(len(m.files), maxEvidence)] {
		files = append(files, definition.Quote(name))
	}
	var because []string
	if len(said) > 0 {
		because = append(because, "the request says "+strings.Join(said, ", "))
	}
	if len(files) > 0 {
		because = append(because, "a file like "+strings.Join(files, ", ")+" is attached")
	}
	return fmt.Sprintf("Chain %s was chosen because %s.", m.chain, strings.Join(because, " and "))
}

// words returns the beginning of a text as lower-case words with one space before
// and after each, so that a search finds whole words only.
func words(text string) string {
	var out strings.Builder
	out.WriteByte(' ')
	between := true
	for at, c := range text {
		word := c == '_' || unicode.In(c, unicode.Letter, unicode.Mark, unicode.Digit)
		switch {
		case at >= planBytes && word && !between:
			// The last word may be longer than what was read of it.
			whole := out.String()
			return whole[:strings.LastIndexByte(whole, ' ')+1]
		case at >= planBytes:
			return strings.TrimSuffix(out.String(), " ") + " "
		case word:
			out.WriteRune(unicode.ToLower(c))
			between = false
		case !between:
			out.WriteByte(' ')
			between = true
		}
	}
	if !between {
		out.WriteByte(' ')
	}
	return out.String()
}
