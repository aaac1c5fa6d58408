package chain_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/chain"
)

func TestPlan(t *testing.T) {
	t.Parallel()
	cases := []struct {
		request string
		files   []string
		chain   string
		why     string
	}{
		{"Add a rate limiter to the API", nil, "feature", `Chain feature was chosen because the request says "add".`},
		{"Fix the login bug", nil, "bugfix", `Chain bugfix was chosen because the request says "fix", "bug".`},
		{"The server crashes when I upload a file", nil, "bugfix", ""},
		{"The upload DOESN’T   work!", nil, "bugfix", `Chain bugfix was chosen because the request says "doesn t work".`},
		{"review this", []string{"-", "Change.DIFF"}, "review", `Chain review was chosen because the request says "review" and a file like "Change.DIFF" is attached.`},
		{"please look", []string{"a.txt", "core.log"}, "bugfix", `Chain bugfix was chosen because a file like "core.log" is attached.`},
		{"Compare Postgres and SQLite for our queue", nil, "research", ""},
		{"What is the difference between a mutex and a semaphore?", nil, "research", ""},
		{"Write the documentation of the CLI", nil, "document", ""},
		{"Summarize these notes", nil, "document", ""},
		{"Harden the upload endpoint against injection", nil, "harden", ""},
		{"Is there a SQL injection in this handler?", nil, "harden", ""},
		// The job comes first in the text, other jobs are its object.
		{"Fix the review page", nil, "bugfix", ""},
		{"Review the fix", nil, "review", ""},
		{"Implement a review page", nil, "feature", ""},
		{"Document the review process", nil, "document", ""},
		// Whole words only.
		{"prefix suffix review_id additional", nil, "feature", "Chain feature was chosen by default: no planning rule matches the request."},
		{"code-review, please", nil, "review", ""},
		// Every request gets a plan.
		{"", nil, "feature", "Chain feature was chosen by default: no planning rule matches the request."},
		{"напиши сортировку", nil, "feature", ""},
		{"設計してください", nil, "feature", ""},
		{"\xff\xfe", []string{"\xff.log"}, "bugfix", ""},
	}
	specialists := catalogue(t)
	l := library(t, nil, nil)
	for _, c := range cases {
		t.Run(c.request, func(t *testing.T) {
			t.Parallel()
			name, why := chain.Plan(c.request, c.files)
			require.Equal(t, c.chain, name, why)
			if c.why != "" {
				require.Equal(t, c.why, why)
			}
			planned, err := l.Resolve(name, specialists.Lookup)
			require.NoError(t, err)
			require.NotEmpty(t, planned.Tasks)
		})
	}
}

func TestPlanOfAVeryLargeRequest(t *testing.T) {
	t.Parallel()
	huge := strings.Repeat("lorem ipsum ", 4<<20/12)
	name, _ := chain.Plan("Review this: "+huge+" fix fix bug crash", nil)
	require.Equal(t, "review", name, "the beginning says what is wanted")

	// A word that the limit cuts is not taken for a shorter one: "fix" of "fixture".
	for pad := 64<<10 - 8; pad < 64<<10+2; pad++ {
		name, _ = chain.Plan(strings.Repeat("x", pad)+" fixture", nil)
		require.Equal(t, chain.DefaultChain, name, "%d", pad)
	}
	name, _ = chain.Plan(strings.Repeat("x", 64<<10-4)+" fix", nil)
	require.Equal(t, "bugfix", name, "the last whole word counts")
	name, _ = chain.Plan(strings.Repeat("é", 4<<20), []string{strings.Repeat("n", 1<<20) + ".diff"})
	require.Equal(t, "review", name)
}

func TestRationaleIsOneBoundedSentence(t *testing.T) {
	t.Parallel()
	files := make([]string, 500)
	for i := range files {
		files[i] = strings.Repeat("long\n", 1000) + ".diff"
	}
	_, why := chain.Plan("review audit critique diff patch pr commit check inspect approve changes", files)
	require.Less(t, len(why), 400)
	require.NotContains(t, why, "\n")
	require.True(t, strings.HasSuffix(why, "."))
	require.Contains(t, why, `"review", "audit", "critique", "diff", "patch" and`)
}

func FuzzPlan(f *testing.F) {
	f.Add("Fix it", "a.log")
	f.Add("Ⅷ ǅ İ fix\u0301", "x.PATCH")
	f.Fuzz(func(t *testing.T, request, file string) {
		name, why := chain.Plan(request, []string{file})
		again, whyAgain := chain.Plan(request, []string{file})
		if name == "" || name != again || why != whyAgain || !utf8.ValidString(why) || !strings.HasPrefix(why, "Chain "+name+" was chosen b") {
			t.Fatalf("%q: %s", name, why)
		}
	})
}
