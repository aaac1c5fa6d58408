package chain

// DefaultChain is what a request gets that no rule knows: most requests ask for a
// change, and this chain thinks first and checks afterwards.
const DefaultChain = "feature"

// rule says by which words a request shows that a chain suits it. Words are lower
// case; a phrase is words with one space between them.
type rule struct {
	chain string
	// strong words name the job itself, weak ones merely go with it.
	strong []string
	weak   []string
	// endings are ends of the names of attached files.
	endings []string
}

// The points that a match gives. The first match in the text counts more, because
// requests begin with what is wanted: "fix the review page" wants a fix.
const (
	strongPoints = 3
	weakPoints   = 1
	endingPoints = 2
	firstPoints  = 2
)

// rules is the planner's whole knowledge. Of two chains with equally many points
// the earlier one is taken.
func rules() []rule {
	return []rule{
		{
			chain: "bugfix",
			strong: []string{
				"fix", "fixes", "fixing", "bug", "bugs", "debug", "debugging", "crash", "crashes", "crashed", "crashing",
				"panic", "panics", "deadlock", "hang", "hangs", "regression", "segfault", "stack trace", "stacktrace", "traceback",
				"root cause", "memory leak", "race condition", "flaky", "does not work", "doesn t work", "not working",
				"stopped working", "troubleshoot", "fails", "failing", "broken",
			},
			weak:    []string{"error", "errors", "exception", "fail", "failed", "failure", "wrong", "issue", "reproduce", "slow", "timeout"},
			endings: []string{".log", ".trace", ".dmp", ".stacktrace"},
		},
		{
			chain: "harden",
			strong: []string{
				"harden", "hardening", "secure", "security", "vulnerability", "vulnerabilities", "exploit", "cve", "owasp",
				"xss", "csrf", "ssrf", "sql injection", "injection", "threat model", "threat modeling", "pentest", "attack", "attacker",
			},
			weak:    []string{"authentication", "authorization", "secrets", "secret", "token", "tokens", "permissions", "sanitize", "encrypt"},
			endings: []string{".sarif"},
		},
		{
			chain: "review",
			strong: []string{
				"review", "reviews", "reviewing", "code review", "audit", "critique", "pull request", "merge request",
				"feedback on", "check this", "look over", "what do you think of",
			},
			weak:    []string{"diff", "patch", "pr", "commit", "check", "inspect", "approve", "changes"},
			endings: []string{".diff", ".patch"},
		},
		{
			chain: "document",
			strong: []string{
				"document", "documentation", "docs", "readme", "changelog", "release notes", "tutorial", "user guide", "how to guide",
				"manual", "write up", "blog post", "announcement", "runbook", "summarize", "summarise", "summary", "docstring", "docstrings",
			},
			weak: []string{"guide", "describe", "article", "report", "translate", "rewrite", "proofread", "notes"},
		},
		{
			chain: "research",
			strong: []string{
				"research", "compare", "comparison", "evaluate", "investigate", "explain", "which is better", "pros and cons",
				"trade offs", "tradeoffs", "alternatives to", "state of the art", "recommend", "should we use", "what is", "what are",
				"how does", "how do", "find out", "survey", "analyze", "analyse",
			},
			weak: []string{"why", "versus", "vs", "choose", "options", "alternatives", "difference", "best", "which"},
		},
		{
			chain: "feature",
			strong: []string{
				"add", "adds", "adding", "implement", "implementing", "build", "create", "develop", "design", "feature",
				"introduce", "extend", "integrate", "migrate", "refactor", "support for", "make it possible",
			},
			weak: []string{"new", "write", "make", "change", "update", "improve", "support", "replace", "remove", "endpoint", "function", "tests"},
		},
	}
}
