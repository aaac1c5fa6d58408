// Package mcp is tutti as a server of the Model Context Protocol: how an agent
// starts runs, executes their prompts in its own session and hands in results.
//
// Vocabulary: a host is the agent's program on the other side; a call is one
// tools/call of it; the caller is what the host says of itself. An answer is a
// call's result; an offer is a prompt that is given to a host, under a claim.
//
//	orchestration_run ──▶ run started ──▶ offer ──▶ the host works
//	        ▲                                            │
//	        └── next offer ◀── orchestration_task_result ┘   until next_task is null
//
// Invariants:
//   - Nothing of a run lives in this process: every call folds the run's history.
//     A host and its server may die at any time; another goes on from there.
//   - A start and a submission run under a context of their own, because a host that
//     closes its pipe cancels every handler at once.
//   - Every call answers within 25 seconds, and its whole result, which holds the
//     same JSON structured and as text, stays below 8,000 bytes: hosts cut more.
//   - A refusal is an answer with isError and {code, error, remediation}; without
//     Temporal the server still starts, lists its tools and says what to do.
//   - No credential of a host is read, and no host program is started.
package mcp
