package cli

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/content"
	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/store/filesystem"
)

// reader is a command of a user with an empty data directory.
func reader(t *testing.T) *command {
	t.Helper()
	home := t.TempDir()
	c := &command{process: Process{
		Stderr: &bytes.Buffer{}, Stdout: &bytes.Buffer{}, WorkDir: home, HomeDir: home, User: "alice", Now: noon,
		Lookup: func(name string) (string, bool) { return home + "/data", name == "TUTTI_DATA_DIR" },
	}}
	_, err := c.open()
	require.NoError(t, err)
	t.Cleanup(c.close)
	return c
}

func keep(t *testing.T, c *command, tenant string, texts ...string) {
	t.Helper()
	kept, err := filesystem.Open(c.app.Config.DataDir + "/store")
	require.NoError(t, err)
	defer func() { require.NoError(t, kept.Close()) }()
	for _, text := range texts {
		require.NoError(t, kept.PutContent(t.Context(), tenant, content.Digest(text), []byte(text)))
	}
}

// waitingRun has its request, an output and a host's prompt in the store.
func waitingRun() run.Record {
	request, answer := content.Of("the request").Ref(), content.Of("the answer").Ref()
	return run.Record{
		RunID: "run-1", TenantID: "default", Status: run.AwaitingHost,
		Request: run.Request{TextSHA256: request.SHA256, TextSize: request.Size},
		Tasks: []run.Task{
			{ID: "one", Status: run.TaskDone, OutputSHA256: answer.SHA256, OutputSize: answer.Size},
			{ID: "two", Needs: []string{"one"}, Status: run.TaskAwaitingHost, Prompt: &run.PromptRef{
				System: content.Of("small, and inline"), User: content.Of("the prompt").Ref(),
			}},
		},
	}
}

func TestHydrateFillsInWhatReadersHaveToFetch(t *testing.T) {
	t.Parallel()
	c := reader(t)
	keep(t, c, "default", "the request", "the answer", "the prompt")
	r := waitingRun()
	require.NoError(t, c.hydrate(t.Context(), &r))
	require.Equal(t, "the request", r.Request.Text)
	require.Equal(t, "the answer", r.Tasks[0].Output)
	require.Equal(t, &run.HostPrompt{System: "small, and inline", User: "the prompt"}, r.Tasks[1].HostPrompt)
	require.Nil(t, r.Tasks[0].HostPrompt, "only while a host has to execute it")
	require.Empty(t, r.FinalMessage, "a run that goes on has none")
}

func TestHydrateFillsInWhatItCanAndNamesWhatItCannot(t *testing.T) {
	t.Parallel()
	c := reader(t)
	keep(t, c, "default", "the prompt")
	keep(t, c, "other", "the request", "the answer")
	r := waitingRun()
	err := c.hydrate(t.Context(), &r)
	require.ErrorIs(t, err, content.ErrNotFound)
	require.Equal(t, ExitPlatform, explain(err).code)
	require.ErrorContains(t, err, "the request ("+content.Digest("the request")[:12]+") is not in this content store")
	require.Empty(t, r.Tasks[0].Output, "another tenant's text is none")
	require.Equal(t, "the prompt", r.Tasks[1].HostPrompt.User)
}

func TestAPromptThatIsNotTheRecordedOneIsNotShown(t *testing.T) {
	t.Parallel()
	c := reader(t)
	r := waitingRun()
	task := &r.Tasks[1]
	task.Prompt.User = content.Of("the prompt")
	task.PromptSHA256 = content.Digest("small, and inline\x00the prompt")
	p, err := c.promptOf(t.Context(), r, task)
	require.NoError(t, err)
	require.Equal(t, run.HostPrompt{System: "small, and inline", User: "the prompt"}, p)
	task.PromptSHA256 = content.Digest("another")
	_, err = c.promptOf(t.Context(), r, task)
	require.ErrorContains(t, err, "the prompt of two has digest ")
}
