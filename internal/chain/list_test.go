package chain_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/chain"
)

func TestParseListNeedsAllEarlierOnes(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"architect -> reviewer -> reviewer", " architect->reviewer->reviewer ", "architect → reviewer\n-> reviewer"} {
		c, err := chain.ParseList(text)
		require.NoError(t, err)
		require.Equal(t, "architect -> reviewer -> reviewer", c.Name)
		var got []string
		for i, task := range c.Tasks {
			require.Equal(t, i+1, task.Seq)
			require.Equal(t, chain.OnFailureSkip, task.OnUpstreamFailure)
			got = append(got, task.ID+" "+task.Specialist+" "+strings.Join(task.Needs, ","))
		}
		require.Equal(t, []string{"architect architect ", "reviewer reviewer architect", "reviewer-2 reviewer architect,reviewer"}, got)
	}
	one, err := chain.ParseList("writer")
	require.NoError(t, err)
	require.Len(t, one.Tasks, 1)
	require.Equal(t, "writer", one.Name)
}

func TestParseListRefuses(t *testing.T) {
	t.Parallel()
	missing := "a specialist is missing here; write a list like architect -> engineer -> reviewer"
	cases := map[string]struct {
		text string
		want []string
	}{
		"nothing":       {"", []string{`chain list "":1:1: ` + missing}},
		"an arrow":      {"->", []string{`chain list "->":1:1: ` + missing, `chain list "->":1:3: ` + missing}},
		"a gap":         {"qa →  → b", []string{`chain list "qa →  → b":1:5: ` + missing}},
		"a strange one": {"qa -> Q A", []string{`chain list "qa -> Q A":1:7: specialist "Q A" cannot be used; write the name of a specialist, as tutti specialist list shows it`}},
		"a NUL":         {"qa\x00", []string{`chain list "qa\x00":1: the file holds a NUL byte; save it as plain UTF-8 text`}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := chain.ParseList(c.text)
			require.Equal(t, c.want, problems(t, err))
			require.Empty(t, got)
		})
	}
}

func TestParseListLimit(t *testing.T) {
	t.Parallel()
	c, err := chain.ParseList(strings.Repeat("qa->", chain.MaxNeeds) + "qa")
	require.NoError(t, err)
	require.Len(t, c.Tasks[chain.MaxNeeds].Needs, chain.MaxNeeds)
	for _, n := range []int{chain.MaxNeeds + 1, 50_000} {
		_, err = chain.ParseList(strings.Repeat("qa->", n) + "qa")
		require.ErrorContains(t, err, "the list has more than 33 specialists; the last one may need at most 32 tasks")
		require.Less(t, len(err.Error()), 400)
	}
}
