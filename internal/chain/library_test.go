package chain_test

import (
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/chain"
	"github.com/tutti-dev/tutti/internal/definition"
	"github.com/tutti-dev/tutti/internal/specialist"
)

func chainFile(src string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(src)} }

func TestLoadTakesTheFirstDefinition(t *testing.T) {
	t.Parallel()
	l := library(t,
		fstest.MapFS{".tutti/chains/one.yaml": chainFile("name: one\ntasks: [{specialist: qa}]")},
		fstest.MapFS{
			"chains/one.yml":      chainFile("name: one\ntasks: [{specialist: writer}]"),
			"chains/feature.yaml": chainFile("name: feature\ntasks: [{specialist: writer}]"),
			"chains/broken.yaml":  chainFile("name: review\ntasks: []"),
			"chains/two.yaml":     chainFile(":"),
		})
	one, err := l.Get("one")
	require.NoError(t, err)
	require.Equal(t, "qa", one.Tasks[0].Specialist)
	require.Equal(t, ".tutti/chains/one.yaml", one.Source)
	feature, err := l.Get("feature")
	require.NoError(t, err)
	require.Equal(t, "conf/chains/feature.yaml", feature.Source)

	var names []string
	for _, c := range l.All() {
		names = append(names, c.Name)
	}
	require.Equal(t, []string{"bugfix", "document", "feature", "harden", "one", "research"}, names)
	require.Len(t, l.Problems(), 2)
	for name, file := range map[string]string{"review": "conf/chains/broken.yaml:2:1: ", "two": "conf/chains/two.yaml:1:1: "} {
		_, err := l.Get(name)
		var invalid *chain.InvalidError
		require.ErrorAs(t, err, &invalid)
		require.NotErrorIs(t, err, chain.ErrNotFound)
		require.ErrorContains(t, err, file)
	}
}

func TestTheLibraryDoesNotChange(t *testing.T) {
	t.Parallel()
	l := library(t, nil, nil)
	one, err := l.Get("feature")
	require.NoError(t, err)
	one.Tasks[1].Needs[0], one.Tasks[0].Specialist = "changed", "changed"
	two, err := l.Get("feature")
	require.NoError(t, err)
	require.Equal(t, []string{"architect"}, two.Tasks[1].Needs)
	require.Equal(t, "architect", two.Tasks[0].Specialist)
}

func TestResolve(t *testing.T) {
	t.Parallel()
	l := library(t, fstest.MapFS{
		".tutti/chains/writer.yaml": chainFile("name: writer\ntasks: [{specialist: qa}, {specialist: qa}]"),
		".tutti/chains/odd.yaml":    chainFile("name: odd\ntasks:\n  - specialist: reviwer\n  - specialist: broken\n"),
		".tutti/chains/bad.yaml":    chainFile("name: bad\n"),
	}, nil)
	lookup := catalogue(t).Lookup
	for text, tasks := range map[string]int{
		"feature": 3, " feature ": 3, "writer": 2, "architect": 1, "architect -> qa": 2, "architect→qa": 2,
	} {
		c, err := l.Resolve(text, lookup)
		require.NoError(t, err, text)
		require.Len(t, c.Tasks, tasks, text)
	}

	_, err := l.Resolve("featur", lookup)
	require.EqualError(t, err, `unknown chain "featur"; did you mean feature? known: bugfix, document, feature, harden, odd, research, review, writer`)
	require.ErrorIs(t, err, chain.ErrNotFound)
	_, err = l.Resolve("", lookup)
	require.ErrorIs(t, err, chain.ErrNotFound)

	c, err := l.Resolve("odd", lookup)
	require.NotEmpty(t, c.Tasks)
	lines := problems(t, err)
	require.Equal(t, `.tutti/chains/odd.yaml:3:17: unknown specialist "reviwer"; did you mean reviewer? `+
		"known: architect, debugger, engineer, qa, researcher, reviewer, security, writer", lines[0])
	require.Contains(t, lines[1], `.tutti/chains/odd.yaml:4:17: specialist "broken" cannot be used: .tutti/specialists/broken.md:1: the file has no front matter`)
	require.ErrorIs(t, err, specialist.ErrNotFound)
	require.NotErrorIs(t, err, chain.ErrNotFound)

	_, err = l.Resolve("architect -> nobody", lookup)
	require.ErrorContains(t, err, `chain list "architect -> nobody":1:14: unknown specialist "nobody"`)
	_, err = l.Resolve("broken", lookup)
	require.ErrorContains(t, err, `specialist "broken" cannot be used`)
	_, err = l.Resolve("bad", lookup)
	require.ErrorContains(t, err, ".tutti/chains/bad.yaml:1:1: tasks is missing")
}

func TestCheckSeesGraphAndSpecialistsTogether(t *testing.T) {
	t.Parallel()
	src := "name: x\ntasks:\n  - {specialist: qa, needs: [writer]}\n  - {specialist: writr, id: writer, needs: [qa]}\n"
	_, err := chain.Check("c.yaml", []byte(src), catalogue(t).Lookup)
	lines := problems(t, err)
	require.Len(t, lines, 2)
	require.Contains(t, lines[0], "c.yaml:3:5: the tasks wait for each other: qa needs writer needs qa")
	require.Contains(t, lines[1], `c.yaml:4:18: unknown specialist "writr"; did you mean writer?`)

	c, err := chain.Check("c.yaml", []byte("name: x\ntasks: [{specialist: qa}]"), catalogue(t).Lookup)
	require.NoError(t, err)
	require.Equal(t, "x", c.Name)
}

func TestBuiltInChains(t *testing.T) {
	t.Parallel()
	l := library(t, nil, nil)
	require.Empty(t, l.Problems())
	specialists := catalogue(t)
	versions := map[string]string{}
	for _, c := range l.All() {
		require.Equal(t, "built-in/"+c.Name+".yaml", c.Source)
		require.NotEmpty(t, c.Description)
		require.NoError(t, c.Validate(specialists.Lookup))
		require.ErrorIs(t, specialists.Lookup(c.Name), specialist.ErrNotFound, "a chain and a specialist share a name")
		for _, task := range c.Tasks {
			require.NotEmpty(t, task.Reason, "%s/%s", c.Name, task.ID)
			require.Empty(t, task.Backend+task.Provider+task.Model, "%s/%s chooses for the user", c.Name, task.ID)
		}
		v, err := chain.Version(c, specialists.Version)
		require.NoError(t, err)
		require.Empty(t, versions[v])
		versions[v] = c.Name
	}
	require.Len(t, versions, 6)
}

func TestSourcesAreInOrder(t *testing.T) {
	t.Parallel()
	var labels []string
	for _, s := range chain.Sources(definition.Dirs{ConfigLabel: "~/.config/tutti"}) {
		labels = append(labels, s.Label)
	}
	require.Equal(t, []string{".tutti/chains", "~/.config/tutti/chains"}, labels)
}
