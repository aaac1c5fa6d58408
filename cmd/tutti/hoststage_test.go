package main_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/testenv"
)

// prompt is what `host next --json` prints.
type prompt struct {
	RunID        string   `json:"run_id"`
	TaskID       string   `json:"task_id"`
	Role         string   `json:"role"`
	Tools        []string `json:"tools"`
	System       string   `json:"system"`
	User         string   `json:"user"`
	PromptSHA256 string   `json:"prompt_sha256"`
	ClaimToken   int64    `json:"claim_token"`
}

// reply is what `host submit --json` prints.
type reply struct {
	Accepted  *bool      `json:"accepted"`
	Pending   bool       `json:"pending"`
	Duplicate bool       `json:"duplicate"`
	RunStatus run.Status `json:"run_status"`
	NextTask  *prompt    `json:"next_task"`
	Code      run.Code   `json:"code"`
}

// session is the same user in another session, with another data directory when
// it sits on another machine.
func (s *stage) session(name string) *stage {
	other := *s
	other.env = append(append([]string{}, s.env...), "TUTTI_HOST_SESSION="+name)
	return &other
}

// host starts a run that hosts execute and waits until it wants one.
func (s *stage) host(args ...string) string {
	s.t.Helper()
	id := s.detach(append(args, "--backend", "host")...)
	_, code := s.tutti("run", "watch", id)
	require.Equal(s.t, 3, code)
	return id
}

// awaits waits until so many tasks wait for a host.
func (s *stage) awaits(runID string, n int) {
	s.t.Helper()
	testenv.Eventually(s.t, patience, "the prompts", func() error {
		record := s.show(runID)
		if got := record.Counts()[run.TaskAwaitingHost]; got != n {
			return fmt.Errorf("%d of %d wait", got, n)
		}
		return nil
	})
}

func (s *stage) next(args ...string) prompt {
	s.t.Helper()
	var p prompt
	require.NoError(s.t, json.Unmarshal([]byte(s.must(append([]string{"host", "next", "--json"}, args...)...)), &p))
	return p
}

// submit hands a text in and returns the reply and the exit code.
func (s *stage) submit(runID, taskID, text string, args ...string) (reply, int) {
	s.t.Helper()
	o := s.options(append([]string{"host", "submit", runID, taskID, "-f", "-", "--json"}, args...)...)
	o.Stdin = text
	p, code := testenv.Run(s.t, patience, o)
	var r reply
	require.NoError(s.t, json.Unmarshal([]byte(p.Stdout()), &r), p.Output())
	return r, code
}

func (s *stage) accepted(runID, taskID, text string, args ...string) reply {
	s.t.Helper()
	r, code := s.submit(runID, taskID, text, args...)
	require.Zero(s.t, code, "%+v", r)
	require.True(s.t, *r.Accepted)
	return r
}

// together does something n times at once.
func together(n int, do func(i int)) {
	var group sync.WaitGroup
	for i := range n {
		group.Add(1)
		go func() {
			defer group.Done()
			do(i)
		}()
	}
	group.Wait()
}

// parallel is a chain of two tasks side by side and one that needs both.
const parallel = `name: parallel
description: two side by side
tasks:
  - {specialist: architect}
  - {specialist: engineer}
  - {specialist: reviewer, needs: [architect, engineer]}
`

// rawOutput is a host's result as the Temporal CLI sends it.
func rawOutput(taskID, output string) string {
	raw, _ := json.Marshal(map[string]string{"taskId": taskID, "outcome": "done", "output": output}) // It cannot fail.
	return string(raw)
}

// blocks returns the fenced shell blocks of a Markdown text.
func blocks(markdown string) []string {
	var found []string
	for i, part := range strings.Split(markdown, "```") {
		if body, ok := strings.CutPrefix(part, "sh\n"); ok && i%2 == 1 {
			found = append(found, body)
		}
	}
	return found
}
