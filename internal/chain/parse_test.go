package chain_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/chain"
)

const whole = `name: careful
description: Looks twice
tasks:
  - specialist: reviewer
  - specialist: reviewer
    id: second.look_2
    needs: [reviewer]
    backend: provider
    provider: openrouter
    model: anthropic/claude-sonnet-4.5:beta
    onUpstreamFailure: continue
    reason: Look again.
  - specialist: reviewer
    needs:
      - second.look_2
`

func TestParseReadsEveryKey(t *testing.T) {
	t.Parallel()
	want := chain.Chain{Name: "careful", Description: "Looks twice", Source: "c.yaml", Tasks: []chain.Task{
		{ID: "reviewer", Seq: 1, Specialist: "reviewer", OnUpstreamFailure: "skip"},
		{
			ID: "second.look_2", Seq: 2, Specialist: "reviewer", Needs: []string{"reviewer"}, Backend: "provider",
			Provider: "openrouter", Model: "anthropic/claude-sonnet-4.5:beta", OnUpstreamFailure: "continue", Reason: "Look again.",
		},
		{ID: "reviewer-2", Seq: 3, Specialist: "reviewer", Needs: []string{"second.look_2"}, OnUpstreamFailure: "skip"},
	}}
	require.Empty(t, cmp.Diff(want, mustParse(t, whole), cmpopts.IgnoreUnexported(chain.Task{})))
}

func TestDefaultIDsGiveWayToWrittenOnes(t *testing.T) {
	t.Parallel()
	c := mustParse(t, "name: x\ntasks: [{specialist: qa}, {specialist: qa}, {specialist: writer, id: qa-2}, {specialist: qa, id: plan}]")
	var ids []string
	for _, task := range c.Tasks {
		ids = append(ids, task.ID)
	}
	require.Equal(t, []string{"qa", "qa-3", "qa-2", "plan"}, ids)
}

func TestParseRefusesWithPlaceAndNextStep(t *testing.T) {
	t.Parallel()
	task := func(lines string) string { return "name: x\ntasks:\n  - specialist: qa\n    " + lines + "\n" }
	long := strings.Repeat("a", 64)
	cases := map[string]struct {
		src  string
		want []string
	}{
		"empty file":        {"", []string{"c.yaml:1:1: a chain file begins with its keys; write name:, description: and tasks:"}},
		"a list":            {"- a\n", []string{"c.yaml:1:1: a chain file begins with its keys; write name:, description: and tasks:"}},
		"not YAML":          {"name: x\ntasks: [\n", []string{"c.yaml:2:8: this is not valid YAML: sequence end token ']' not found; correct the line"}},
		"no name":           {"tasks: [{specialist: qa}]", []string{"c.yaml:1:1: name is missing; add a line like name: feature"}},
		"bad name":          {"name: My Chain\ntasks: [{specialist: qa}]", []string{`c.yaml:1:7: name "My Chain" cannot be used; use up to 64 lower-case letters, digits and dashes, like bug-fix`}},
		"no tasks key":      {"name: x\n", []string{"c.yaml:1:1: tasks is missing; add a list of tasks, each with a specialist"}},
		"tasks empty":       {"name: x\ntasks: []\n", []string{"c.yaml:2:1: the chain has no tasks; add at least one, like - specialist: engineer"}},
		"tasks null":        {"name: x\ntasks:\n", []string{"c.yaml:2:1: the chain has no tasks; add at least one, like - specialist: engineer"}},
		"tasks a word":      {"name: x\ntasks: qa\n", []string{"c.yaml:2:8: tasks must be a list; begin each task with a dash, like - specialist: engineer"}},
		"a task is a word":  {"name: x\ntasks:\n  - qa\n", []string{"c.yaml:3:5: task 1 names no specialist; add a line like specialist: engineer"}},
		"unknown top key":   {"name: x\ntask: []\ntasks: [{specialist: qa}]", []string{`c.yaml:2:1: unknown key "task"; did you mean tasks? known keys: name, description, tasks`}},
		"unknown task key":  {task("need: [a]"), []string{`c.yaml:4:5: unknown key "need"; did you mean needs? known keys: id, specialist, needs, backend, provider, model, onUpstreamFailure, reason`}},
		"a key twice":       {task("specialist: qa"), []string{`c.yaml:4:5: key "specialist" stands twice (first on line 3); keep one of them`}},
		"backend":           {task("backend: cloud"), []string{`c.yaml:4:14: backend cannot be "cloud"; use one of: inline, provider, host`}},
		"onUpstreamFailure": {task("onUpstreamFailure: retry"), []string{`c.yaml:4:24: onUpstreamFailure cannot be "retry"; use one of: skip, continue`}},
		"provider":          {task("provider: Open Router"), []string{`c.yaml:4:15: provider "Open Router" cannot be used; write the name of a provider, like openrouter`}},
		"model":             {task("model: gpt 5"), []string{`c.yaml:4:12: model "gpt 5" is not the name of a model; write one name without spaces, like anthropic/claude-sonnet-4.5`}},
		"id with a slash":   {task("id: a/b"), []string{`c.yaml:4:9: id "a/b" cannot be used; use up to 64 lower-case letters, digits, dots, dashes and underscores`}},
		"id with a tilde":   {task("id: a~1"), []string{`c.yaml:4:9: id "a~1" cannot be used; use up to 64 lower-case letters, digits, dots, dashes and underscores`}},
		"id is a number":    {task("id: 7"), []string{`c.yaml:4:9: id must be text, not "7"; put it in quotes: id: "7"`}},
		"reason too long":   {task("reason: " + strings.Repeat("é", 1001)), []string{"c.yaml:4:13: reason has 1001 characters; use at most 1000"}},
		"needs a word":      {task("needs: a"), []string{"c.yaml:4:12: needs must be a list; write needs: [first, second]"}},
		"needs itself":      {task("needs: [qa]"), []string{`c.yaml:4:13: task "qa" needs itself; remove it from its own needs`}},
		"needs nobody":      {task("needs: [a]"), []string{`c.yaml:4:13: task "qa" needs "a", which does not exist; remove it: the chain has no other task`}},
		"needs a typo": {
			task("needs: [writr]\n  - specialist: writer"), []string{`c.yaml:4:13: task "qa" needs "writr", which does not exist; did you mean writer?`},
		},
		"needs a stranger": {
			task("needs: [zebra]\n  - specialist: writer"), []string{`c.yaml:4:13: task "qa" needs "zebra", which does not exist; write the ID of another task: writer`},
		},
		"needs twice": {
			task("needs: [writer, writer]\n  - specialist: writer"), []string{`c.yaml:4:21: task "qa" needs "writer" twice; keep one of them`},
		},
		"two equal ids": {
			task("id: a\n  - specialist: writer\n    id: a"), []string{`c.yaml:6:9: the ID "a" stands twice; give one of the tasks another id`},
		},
		"a default id too long": {
			"name: x\ntasks: [{specialist: " + long + "}, {specialist: " + long + "}]",
			[]string{`c.yaml:2:89: the task's ID would be "` + long + `-2"; give it a shorter one with id:`},
		},
		"a cycle": {
			"name: x\ntasks:\n  - {specialist: qa, needs: [writer]}\n  - {specialist: writer, needs: [engineer]}\n  - {specialist: engineer, needs: [qa]}\n",
			[]string{"c.yaml:3:5: the tasks wait for each other: qa needs writer needs engineer needs qa; remove one of these needs"},
		},
		"all at once": {
			"tasks:\n  - specialist: QA\n    backend: x\n  - id: a\n    needs: [b]\n",
			[]string{
				"c.yaml:1:1: name is missing; add a line like name: feature",
				`c.yaml:2:17: specialist "QA" cannot be used; write the name of a specialist, as tutti specialist list shows it`,
				`c.yaml:3:14: backend cannot be "x"; use one of: inline, provider, host`,
				"c.yaml:4:5: task 2 names no specialist; add a line like specialist: engineer",
				`c.yaml:5:13: task "a" needs "b", which does not exist; remove it: the chain has no other task`,
			},
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := chain.Parse("c.yaml", []byte(c.src))
			require.Equal(t, c.want, problems(t, err))
			require.Empty(t, got.Tasks)
		})
	}
}

// star returns a chain of n tasks, the last of which needs the first m.
func star(n, m int) string {
	var src strings.Builder
	src.WriteString("name: x\ntasks:\n")
	for i := range n {
		fmt.Fprintf(&src, "  - {specialist: qa, id: t%d", i)
		if i == n-1 {
			var needs []string
			for j := range m {
				needs = append(needs, fmt.Sprintf("t%d", j))
			}
			src.WriteString(", needs: [" + strings.Join(needs, ", ") + "]")
		}
		src.WriteString("}\n")
	}
	return src.String()
}

func TestLimitsAreExact(t *testing.T) {
	t.Parallel()
	require.Len(t, mustParse(t, star(chain.MaxTasks, chain.MaxNeeds)).Tasks, 100)

	_, err := chain.Parse("c.yaml", []byte(star(chain.MaxTasks+1, 1)))
	require.Equal(t, []string{"c.yaml:103:5: the chain has 101 tasks; use at most 100; split the chain in two"}, problems(t, err))
	_, err = chain.Parse("c.yaml", []byte(star(40, chain.MaxNeeds+1)))
	require.Equal(t, []string{
		"c.yaml:42:38: task 40 needs 33 tasks; name at most 32; let a task in between collect their results",
	}, problems(t, err))
}

func TestCyclesFindsEachKnot(t *testing.T) {
	t.Parallel()
	tasks := []chain.Task{
		{ID: "a", Needs: []string{"b"}},
		{ID: "b", Needs: []string{"a", "gone"}},
		{ID: "c", Needs: []string{"a", "d", "c"}},
		{ID: "d", Needs: []string{"e"}},
		{ID: "e", Needs: []string{"d"}},
		{ID: "f", Needs: []string{"a", "c"}},
	}
	require.Equal(t, [][]string{{"a", "b", "a"}, {"d", "e", "d"}}, chain.Cycles(tasks))
	require.Empty(t, chain.Cycles(tasks[5:]))
}

// FuzzParse holds that whatever is read can be run: it has tasks, an order, and
// every need exists.
func FuzzParse(f *testing.F) {
	f.Add([]byte(whole))
	f.Add([]byte("name: x\ntasks: [{specialist: a, needs: [b]}, {specialist: b, needs: [a]}]"))
	f.Fuzz(func(t *testing.T, src []byte) {
		if len(src) > 4<<10 {
			return
		}
		c, err := chain.Parse("c.yaml", src)
		var invalid *chain.InvalidError
		if err != nil {
			if !errors.As(err, &invalid) {
				t.Fatalf("%T: %v", err, err)
			}
			return
		}
		ids := map[string]bool{}
		for _, task := range c.Tasks {
			ids[task.ID] = true
		}
		if c.Name == "" || len(c.Tasks) == 0 || len(ids) != len(c.Tasks) || len(chain.Cycles(c.Tasks)) > 0 {
			t.Fatalf("%+v", c)
		}
		for i, task := range c.Tasks {
			if task.Seq != i+1 || task.Specialist == "" || task.OnUpstreamFailure == "" {
				t.Fatalf("%+v", task)
			}
			for _, need := range task.Needs {
				if !ids[need] || need == task.ID {
					t.Fatalf("%+v", task)
				}
			}
		}
	})
}
