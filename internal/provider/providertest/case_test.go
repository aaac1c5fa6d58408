package providertest_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/provider"
	"github.com/tutti-dev/tutti/internal/provider/providertest"
)

func TestTheCorpusIsWhole(t *testing.T) {
	t.Parallel()
	shared, err := providertest.Load("../testdata/corpus.json")
	require.NoError(t, err)
	require.Len(t, shared, 111)
	all, err := providertest.Load("../testdata/corpus.json", "../testdata/corpus-own.json")
	require.NoError(t, err)
	seen, reached := map[string]bool{}, map[string]bool{}
	for _, c := range all {
		require.False(t, seen[c.ID], "case %s stands twice", c.ID)
		seen[c.ID] = true
		reached[c.Expect.Outcome] = true
		require.NotEmpty(t, c.Expect.MustNotLeak, c.ID)
		require.Contains(t, provider.Classes(), provider.Class(c.Expect.Outcome), c.ID)
	}
	for _, class := range provider.Classes() {
		require.True(t, reached[string(class)], "no case expects %s", class)
	}
	_, err = providertest.Load("absent.json")
	require.Error(t, err)
}

func TestCase(t *testing.T) {
	t.Parallel()
	c := providertest.Case{ID: "x", Expect: providertest.Expect{Outcome: "ok", Accept: []string{"truncated"}, MustNotLeak: []string{"secret", "other"}}}
	require.Equal(t, "case-x", c.Model())
	require.True(t, c.Accepts("ok"))
	require.True(t, c.Accepts("truncated"))
	require.False(t, c.Accepts("auth"))
	require.Equal(t, []string{"secret"}, c.Leaks("a secret word"))
	require.Empty(t, c.Leaks("a word"))
	require.Equal(t, "http://h/v1", c.BaseURL("http://h"))
	require.Equal(t, 20*time.Second, c.Deadline())
	c.Hint = providertest.Hint{BasePath: "/p", DeadlineMS: 5}
	require.Equal(t, "http://h/p", c.BaseURL("http://h"))
	require.Equal(t, 5*time.Millisecond, c.Deadline())
}
