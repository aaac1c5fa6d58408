package specialist

import (
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

func TestShares(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		sizes  []int
		budget int
		want   []int
	}{
		"nobody":                {nil, 10, []int{}},
		"all fit":               {[]int{3, 4}, 7, []int{3, 4}},
		"equal cut":             {[]int{10, 10}, 8, []int{4, 4}},
		"the small leave room":  {[]int{100, 2, 100}, 22, []int{10, 2, 10}},
		"the odd byte":          {[]int{9, 9}, 5, []int{2, 3}},
		"absent ones take none": {[]int{0, 50, 0}, 20, []int{0, 20, 0}},
		"no budget":             {[]int{5, 5}, 0, []int{0, 0}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, shares(c.sizes, c.budget))
		})
	}
}

func TestCutKeepsWholeCharacters(t *testing.T) {
	t.Parallel()
	const text = "aé漢😀z"
	for limit := range len(text) + 2 {
		got := cut(text, limit)
		require.True(t, utf8.ValidString(got), "%d", limit)
		require.LessOrEqual(t, len(got), limit)
		require.Equal(t, text[:len(got)], got)
		require.Greater(t, len(got), min(limit, len(text))-utf8.UTFMax, "more than a character was lost")
	}
}
