package workflows_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/goccy/go-yaml"
	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	historypb "go.temporal.io/api/history/v1"
	"google.golang.org/protobuf/encoding/protojson"

	"github.com/tutti-dev/tutti/internal/testenv"
)

var record = flag.Bool("record", false, "record what has no history of its shape, under testdata/histories/next")

const (
	recorder    = "TestRecordHistories"
	howToRecord = "go test ./workflows -run " + recorder + " -record"
	aboutFile   = "about.yaml"
)

// about is a folder's own account of where its histories come from.
type about struct {
	// Release is the one whose workers make such histories.
	Release string `yaml:"release"`
	// Recorded is the day, About what was new.
	Recorded string `yaml:"recorded"`
	About    string `yaml:"about"`
	// Histories names for each file the test that made it.
	Histories map[string]string `yaml:"histories"`
}

func readAbout(t *testing.T, folder string) about {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(histories, folder, aboutFile))
	require.NoError(t, err)
	var a about
	require.NoError(t, yaml.UnmarshalWithOptions(raw, &a, yaml.Strict()), folder)
	return a
}

// folders are those of the recorded releases, oldest first.
func folders(t *testing.T) []string {
	t.Helper()
	var found []string
	for n := 1; ; n++ {
		folder := fmt.Sprintf("v%d", n)
		if _, err := os.Stat(filepath.Join(histories, folder)); err != nil {
			return found
		}
		found = append(found, folder)
	}
}

// newest is the last recorded history of a scenario.
func newest(t *testing.T, scenario string) string {
	t.Helper()
	file := lastRecorded(t, scenario)
	require.NotEmpty(t, file, "scenario %s has no history; record it with: %s", scenario, howToRecord)
	return file
}

// lastRecorded is the same, or empty where there is none.
func lastRecorded(t *testing.T, scenario string) string {
	t.Helper()
	var last string
	for _, folder := range folders(t) {
		file := filepath.Join(histories, folder, scenario+".json")
		if _, err := os.Stat(file); err == nil {
			last = file
		}
	}
	return last
}

// TestRecordHistories plays every scenario on today's code against the real
// server. A workflow whose histories look otherwise than the newest recorded ones
// is a changed workflow: somewhere a run of the older shape waits, and the next
// change has to replay today's shape as well.
func TestRecordHistories(t *testing.T) {
	t.Parallel()
	var same atomic.Int32
	for _, sc := range scenarios() {
		t.Run(sc.name, func(t *testing.T) {
			t.Parallel()
			if sc.slow && !*record {
				last := folders(t)
				require.Contains(t, newest(t, sc.name), last[len(last)-1], "what is not played here is recorded every time")
				return
			}
			s := newStage(t)
			runID := sc.play(s)
			s.finished(runID)
			s.requireAgreement(runID)
			events := s.history(runID)
			if !*record {
				requireShape(t, sc, load(t, newest(t, sc.name)).GetEvents(), events)
				same.Add(1)
				return
			}
			last := lastRecorded(t, sc.name)
			if sc.slow || last == "" || differs(sc, load(t, last).GetEvents(), events) != "" {
				save(t, sc.name, events)
			}
		})
	}
	t.Cleanup(func() {
		if *record {
			saveAbout(t)
		}
		testenv.Seen(t, "%d of %d scenarios were played on today's code and look like their newest recorded history", same.Load(), len(scenarios()))
	})
}

func requireShape(t *testing.T, sc scenario, recorded, today []*historypb.HistoryEvent) {
	t.Helper()
	if diff := differs(sc, recorded, today); diff != "" {
		t.Fatalf("the workflow has changed, and no recorded history of %s shows how (-recorded +today):\n%s\n"+
			"If that is meant, run `%s`, name testdata/histories/next after the last folder, and say in its %s what is new.",
			sc.name, diff, howToRecord, aboutFile)
	}
}

func differs(sc scenario, recorded, today []*historypb.HistoryEvent) string {
	before, now := shapeOf(recorded), shapeOf(today)
	if sc.race {
		before, now = scheduledOnly(before), scheduledOnly(now)
	}
	return cmp.Diff(before, now)
}

func save(t *testing.T, name string, events []*historypb.HistoryEvent) {
	t.Helper()
	folder := filepath.Join(histories, "next")
	require.NoError(t, os.MkdirAll(folder, 0o755))
	raw, err := protojson.MarshalOptions{Indent: " "}.Marshal(&historypb.History{Events: events})
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(folder, name+".json"), raw, 0o644))
}

// saveAbout leaves to a person what only a person knows.
func saveAbout(t *testing.T) {
	t.Helper()
	folder := filepath.Join(histories, "next")
	files, err := filepath.Glob(filepath.Join(folder, "*.json"))
	require.NoError(t, err)
	if len(files) == 0 {
		return
	}
	a := about{Recorded: time.Now().UTC().Format(time.DateOnly), Histories: map[string]string{}}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".json")
		a.Histories[name] = recorder + "/" + name
	}
	raw, err := yaml.Marshal(a)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(folder, aboutFile), raw, 0o644))
}

// Every history says where it comes from, and every scenario has one.
func TestEveryHistoryHasItsScenarioAndEveryScenarioAHistory(t *testing.T) {
	t.Parallel()
	without := map[string]bool{}
	for _, sc := range scenarios() {
		require.False(t, without[sc.name], "two scenarios are called %s", sc.name)
		without[sc.name] = true
	}
	known := len(without)
	releases := folders(t)
	require.NotEmpty(t, releases)
	entries, err := os.ReadDir(histories)
	require.NoError(t, err)
	require.Len(t, entries, len(releases), "folders are called v1, v2 and so on; a `next` gets the next number")
	for _, folder := range releases {
		a := readAbout(t, folder)
		require.NotEmpty(t, a.Release, folder)
		require.NotEmpty(t, a.About, folder)
		_, err := time.Parse(time.DateOnly, a.Recorded)
		require.NoError(t, err, folder)
		files, err := os.ReadDir(filepath.Join(histories, folder))
		require.NoError(t, err)
		require.Len(t, files, len(a.Histories)+1, "%s/%s names every history and no other", folder, aboutFile)
		for name, made := range a.Histories {
			require.FileExists(t, filepath.Join(histories, folder, name+".json"))
			test, scenario, _ := strings.Cut(made, "/")
			require.Equal(t, recorder, test, "%s/%s", folder, name)
			_, is := without[scenario]
			require.True(t, is, "%s/%s was made by scenario %s, which is gone; a scenario stays as long as its histories", folder, name, scenario)
			without[scenario] = false
		}
	}
	require.Len(t, without, known)
	for name, none := range without {
		require.False(t, none, "scenario %s has no history; record it with: %s", name, howToRecord)
	}
}

func scheduledOf(e *historypb.HistoryEvent) *historypb.ActivityTaskScheduledEventAttributes {
	return e.GetActivityTaskScheduledEventAttributes()
}

// A shape tells changes apart from what differs between any two runs.
func TestAShapeShowsWhatTheCodeDecides(t *testing.T) {
	t.Parallel()
	chain := scenario{name: "chain"}
	of := func(file string) []*historypb.HistoryEvent {
		return load(t, filepath.Join(histories, file)).GetEvents()
	}
	require.Empty(t, differs(chain, of("v2/chain.json"), of("v2/chain.json")))
	require.NotEmpty(t, differs(chain, of("v2/chain.json"), of("v2/inline.json")))
	for name, change := range map[string]func(*historypb.HistoryEvent){
		"a timeout":    func(e *historypb.HistoryEvent) { scheduledOf(e).StartToCloseTimeout = nil },
		"a retry":      func(e *historypb.HistoryEvent) { scheduledOf(e).RetryPolicy.MaximumAttempts++ },
		"an ID":        func(e *historypb.HistoryEvent) { scheduledOf(e).ActivityId += "~2" },
		"a member":     func(e *historypb.HistoryEvent) { scheduledOf(e).Input.Payloads[0].Data = []byte(`{"other": 1}`) },
		"a summary":    func(e *historypb.HistoryEvent) { e.UserMetadata = nil },
		"a task queue": func(e *historypb.HistoryEvent) { scheduledOf(e).TaskQueue.Name = "other" },
	} {
		changed := of("v2/chain.json")
		for _, e := range changed {
			if scheduledOf(e) != nil {
				change(e)
			}
		}
		require.NotEmpty(t, differs(chain, of("v2/chain.json"), changed), name)
	}
}
