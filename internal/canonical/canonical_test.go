package canonical_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/canonical"
)

func TestJSONHasOneFormPerMeaning(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		value any
		want  string
	}{
		"keys sorted, compact": {map[string]any{"b": 1, "a": []any{true, nil, "x"}}, `{"a":[true,null,"x"],"b":1}`},
		"nested":               {map[string]any{"z": map[string]any{"y": []string{"q", "p"}}}, `{"z":{"y":["q","p"]}}`},
		"nil and empty differ": {map[string]any{"e": []string{}, "n": nil}, `{"e":[],"n":null}`},
		"whole float":          {[]any{1, 1.0, math.Copysign(0, -1), 0.25}, `[1,1,0,0.25]`},
		"huge float":           {1e300, `1e+300`},
		"decomposed to NFC":    {"e\u0301", "\"\u00e9\""},
		"decomposed key":       {map[string]any{"e\u0301": 1}, "{\"\u00e9\":1}"},
		"no HTML escapes":      {"<a & b>", `"<a & b>"`},
		"quotes and controls":  {"a\"\n\x01", `"a\"\n\u0001"`},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := canonical.JSON(c.value)
			require.NoError(t, err)
			require.Equal(t, c.want, string(got))
		})
	}
}

func TestJSONRefusesWhatHasNoSingleForm(t *testing.T) {
	t.Parallel()
	for name, value := range map[string]any{
		"NaN":               math.NaN(),
		"infinity":          math.Inf(1),
		"invalid UTF-8":     "a\xffb",
		"invalid key":       map[string]any{"\xff": 1},
		"a struct":          struct{ A int }{1},
		"int64 in a list":   []any{int64(1)},
		"keys equal in NFC": map[string]any{"e\u0301": 1, "\u00e9": 2},
		"nested":            map[string]any{"a": []any{math.NaN()}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := canonical.JSON(value)
			require.ErrorContains(t, err, "canonical: ")
			_, err = canonical.Version(value)
			require.Error(t, err)
		})
	}
}

func TestVersionIsPinned(t *testing.T) {
	t.Parallel()
	// printf '{"a":1}' | sha256sum
	const digest = "015abd7f5cc57a2dd94b7590f04ad8084273905ee33ec5cebeae62276a97f862"
	require.Equal(t, digest, canonical.SHA256([]byte(`{"a":1}`)))
	version, err := canonical.Version(map[string]any{"a": 1})
	require.NoError(t, err)
	require.Equal(t, "1.0.0+h015abd7f5cc5", version)
	other, err := canonical.Version(map[string]any{"a": 2})
	require.NoError(t, err)
	require.NotEqual(t, version, other)
}
