package certificate

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

func TestTheTableIsAlignedAndWrapped(t *testing.T) {
	t.Parallel()
	rows := []Row{
		{ID: "C2a", Done: "kill -9 of the größte worker", Expected: "one call", Seen: []string{"1 call", "the run is completed"}, Pass: true, Verdict: passed},
		{ID: "C1", Verdict: notRun, Problems: []string{"its test is not in the table yet"}},
		{ID: "H10", Done: "three signals", Expected: "done", Seen: []string{"4 MiB"}, Problems: []string{"TestX failed"}, Verdict: failed},
	}
	var b bytes.Buffer
	writeTable(&b, rows, 80)
	require.Equal(t, strings.TrimLeft(`
NO   DONE                EXPECTED            SEEN                        VERDICT

C2a  kill -9 of the      one call            1 call; the run is          pass
     größte worker                           completed

C1                                           its test is not in the      NOT RUN
                                             table yet

H10  three signals       done                TestX failed; 4 MiB         FAIL
`, "\n"), b.String())
	for _, width := range []int{0, 20, 80, 100, 120, 200} {
		b.Reset()
		writeTable(&b, rows, width)
		for line := range strings.Lines(b.String()) {
			require.LessOrEqual(t, utf8.RuneCountInString(strings.TrimRight(line, "\n")), map[bool]int{true: 120, false: max(width, 80)}[width == 0])
		}
	}
}

func TestWrapBreaksWordsOnlyWhenItMust(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text  string
		lines []string
	}{
		{"", nil},
		{" a  b\n", []string{"a b"}},
		{"abcd efgh", []string{"abcd", "efgh"}},
		{"ab äbcdefghijkl c", []string{"ab", "äbcde", "fghij", "kl c"}},
	} {
		require.Equal(t, c.lines, wrap(c.text, 5), c.text)
	}
}
