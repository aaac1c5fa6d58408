package main_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	sdkpb "go.temporal.io/api/sdk/v1"

	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/testenv"
)

// shell runs a script of a reader's: tutti, temporal and the host's own programs
// are in its PATH.
func (s *stage) shell(script string, programs map[string]string) (*testenv.Process, int) {
	s.t.Helper()
	bin := s.t.TempDir()
	for name, text := range programs {
		require.NoError(s.t, os.WriteFile(filepath.Join(bin, name), []byte("#!/bin/sh\n"+text), 0o755))
	}
	path := strings.Join([]string{bin, filepath.Dir(testenv.Binary(s.t)), filepath.Dir(testenv.TemporalCLI(s.t)), os.Getenv("PATH")}, ":")
	return testenv.Run(s.t, patience, testenv.ProcessOptions{
		Path: "/bin/sh", Args: []string{"-ec", script}, Env: append([]string{"PATH=" + path}, s.env...), Dir: s.work,
	})
}

func page(t *testing.T) []string {
	t.Helper()
	raw, err := os.ReadFile("../../docs/host.md")
	require.NoError(t, err)
	return blocks(string(raw))
}

// The README's commands are those of docs/host.md, which other tests execute.
func TestTheReadmesTemporalCommandsAreTheManuals(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile("../../README.md")
	require.NoError(t, err)
	manual := strings.Join(page(t), "\n")
	found := 0
	for _, block := range blocks(string(raw)) {
		for _, command := range strings.SplitAfter(block, "}'\n") {
			if strings.HasPrefix(command, "temporal workflow ") {
				require.Contains(t, manual, strings.TrimSpace(command))
				found++
			}
		}
	}
	require.Equal(t, 2, found, "an update and a signal")
}

// The loop of docs/host.md drives a whole chain, with a program in the place of
// claude that keeps what it is asked.
func TestTheShellLoopOfTheManualDrivesAChain(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.worker()
	loop := page(t)[0]
	require.Contains(t, loop, "tutti host next")
	p, code := s.shell(loop, map[string]string{"claude": `cat > "seen.$$"; echo "the deliverable of $$"` + "\n"})
	require.Zero(t, code, p.Output())
	record := s.show("@last")
	require.Equal(t, run.Completed, record.Status)
	require.Equal(t, "add a rate limiter to the API", record.Request.Summary)
	require.Contains(t, p.Stdout(), strings.TrimSpace(record.Tasks[2].Output))
	seen, err := filepath.Glob(filepath.Join(s.work, "seen.*"))
	require.NoError(t, err)
	require.Len(t, seen, 3)
	for _, file := range seen {
		raw, err := os.ReadFile(file)
		require.NoError(t, err)
		require.Contains(t, string(raw), "add a rate limiter to the API")
		require.NotContains(t, string(raw), "tutti host submit", "the command is for the loop, not for the model")
	}
}

// H8: the commands of docs/host.md with the real Temporal CLI, by update and by signal.
func TestTheTemporalCLIAloneExecutesAChain(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.worker()
	id := s.host("x", "--chain", "architect -> reviewer")
	commands := page(t)[1:]
	require.Len(t, commands, 4)
	play := func(command string) string {
		p, code := s.shell("RUN="+id+"\n"+command, nil)
		require.Zero(t, code, p.Output())
		return p.Stdout()
	}
	require.Contains(t, play(commands[0]), `"hostPrompt"`)
	require.Contains(t, play(commands[3]), "claimToken")
	// The claim is of somebody who gives no token: another holder's live claim fences the update out.
	p, code := s.shell("RUN="+id+"\n"+commands[1], nil)
	require.NotZero(t, code, p.Output())
	require.Contains(t, p.Output(), "another host has task architect in hand")
	mine := strings.Replace(commands[1], `"outcome"`, `"claimToken": 1, "outcome"`, 1)
	require.Contains(t, play(mine), "accepted")
	s.tutti("run", "watch", id)
	play(commands[2])
	record := s.finish(id)
	require.Equal(t, run.Completed, record.Status)
	require.Equal(t, []string{"host:update", "host:signal"}, []string{record.Tasks[0].Executor, record.Tasks[1].Executor})
	testenv.Seen(t, "with the Temporal CLI alone: %s by update, %s by signal task-result; the run is %s", record.Tasks[0].ID, record.Tasks[1].ID, record.Status)
}

// The commands on the run card in the Web UI are whole: each can be pasted.
func TestTheCommandsOnTheRunCardWork(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.write(".tutti/chains/parallel.yaml", parallel)
	s.write("FILE", "from a file")
	s.worker()
	id := s.host("x", "--chain", "parallel")
	s.awaits(id, 2)
	commands := func() []string {
		value, err := s.temporal.QueryWorkflow(t.Context(), id, "", "__temporal_workflow_metadata")
		require.NoError(t, err)
		var card sdkpb.WorkflowMetadata
		require.NoError(t, value.Get(&card))
		return blocks(card.GetCurrentDetails())
	}
	play := func(command string) string {
		p, code := s.shell(command, nil)
		require.Zero(t, code, p.Output())
		return p.Stdout()
	}
	both := commands()
	require.Len(t, both, 10)
	require.Contains(t, play(both[0]), "===== user =====")
	require.Contains(t, play(both[1]), "accepted")
	require.Contains(t, play(both[7]), "hostPrompt")
	require.Contains(t, play(both[8]), "accepted")
	s.tutti("run", "watch", id)
	last := commands()
	require.Len(t, last, 5, "what has its result is not offered any more")
	play(last[4])
	record := s.finish(id)
	require.Equal(t, run.Completed, record.Status)
	require.Equal(t, "host:signal", record.Tasks[2].Executor)
	require.Empty(t, commands())
}

// H10: three raw signals of 256 KiB side by side, and one reviewer after them.
func TestThreeLargeRawSignalsKeepTheHistorySmall(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.write(".tutti/chains/wide.yaml", `name: wide
description: three side by side
tasks:
  - {id: a, specialist: engineer}
  - {id: b, specialist: engineer}
  - {id: c, specialist: engineer}
  - {specialist: reviewer, needs: [a, b, c]}
`)
	s.worker()
	id := s.host("x", "--chain", "wide")
	s.awaits(id, 3)
	together(3, func(i int) {
		task := []string{"a", "b", "c"}[i]
		raw := rawOutput(task, strings.Repeat(task+"23456789abcdef\n", run.MaxRawResult/16))
		err := s.temporal.SignalWorkflow(t.Context(), id, "", "task-result", json.RawMessage(raw))
		require.NoError(t, err)
	})
	testenv.Eventually(t, patience, "the reviewer", func() error {
		record := s.show(id)
		if got := record.TaskByID("reviewer").Status; got != run.TaskAwaitingHost {
			return fmt.Errorf("it is %s", got)
		}
		return nil
	})
	p := s.next(id)
	require.Equal(t, "reviewer", p.TaskID)
	for _, task := range []string{"a", "b", "c"} {
		require.Contains(t, p.User, task+"23456789abcdef")
		require.Len(t, s.must("run", "output", id, task), run.MaxRawResult)
	}
	s.accepted(id, "reviewer", "fine")
	record := s.show(id)
	require.Equal(t, run.Completed, record.Status)
	size := 0
	for _, e := range s.history(id) {
		size += e.Size()
	}
	require.Less(t, size, 4<<20)
	testenv.Seen(t, "3 raw signals of %d bytes and a reviewer: %s, the history has %d bytes in %d events", run.MaxRawResult, record.Status, size, len(s.history(id)))
}
