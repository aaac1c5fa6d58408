package provider_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/provider"
)

func node(t *testing.T, raw string) provider.Node {
	t.Helper()
	body := provider.ReadBody([]byte(raw))
	require.Len(t, body.Values, 1)
	return body.Values[0]
}

func TestCount(t *testing.T) {
	t.Parallel()
	known := provider.Count
	for _, c := range []struct {
		raw  string
		want *int64
	}{
		{`21`, known(21)},
		{`0`, known(0)},
		{`21.0`, known(21)},
		{`21.2`, known(22)},
		{`2.1e1`, known(21)},
		{`"21"`, known(21)},
		{`" 21.0 "`, known(21)},
		{`null`, nil},
		{`"many"`, nil},
		{`""`, nil},
		{`-1`, nil},
		{`1e300`, nil},
		{`"NaN"`, nil},
		{`"Inf"`, nil},
		{`true`, nil},
		{`{}`, nil},
		{`[1]`, nil},
	} {
		require.Equal(t, c.want, node(t, `{"n":`+c.raw+`}`).Get("n").Count(), c.raw)
	}
	require.Nil(t, node(t, `{}`).Get("n").Count())
}

func TestSumAndFirstKnown(t *testing.T) {
	t.Parallel()
	require.Nil(t, provider.Sum(nil, nil))
	require.Equal(t, provider.Count(5), provider.Sum(provider.Count(2), nil, provider.Count(3)))
	require.Nil(t, provider.FirstKnown(nil, nil))
	require.Equal(t, provider.Count(0), provider.FirstKnown(nil, provider.Count(0), provider.Count(1)))
}

func TestNodeReadsWithoutTrust(t *testing.T) {
	t.Parallel()
	n := node(t, `{"s":"x","o":{"k":[1,"2",null]},"n":null,"b":true,"e":{"a":"","b":[0,false,null]},"f":429}`)
	require.Equal(t, "x", n.Get("s").Text())
	require.Empty(t, n.Get("f").Text())
	require.Equal(t, "429", n.Get("f").Token())
	require.Len(t, n.At("o", "k").Items(), 3)
	require.Equal(t, "2", n.At("o", "k").Items()[1].Text())
	require.False(t, n.At("s", "k", "j").Present(), "members of a string are absent")
	require.False(t, n.Get("n").Present())
	require.True(t, n.Get("b").True())
	require.True(t, n.Get("e").Empty())
	require.False(t, n.Get("o").Empty())
	require.Equal(t, "x", n.First("missing", "n", "s").Text())
	require.False(t, n.First("missing").Present())
	require.True(t, n.IsObject())
	require.True(t, n.At("o", "k").IsArray())
	require.Nil(t, n.Get("s").Items())
	require.Nil(t, n.Get("s").Members())
}
