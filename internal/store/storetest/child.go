package storetest

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/content"
	"github.com/tutti-dev/tutti/internal/ledger"
	"github.com/tutti-dev/tutti/internal/store"
)

// What a child process is told, by its environment.
const (
	childPlace = "TUTTI_STORETEST_PLACE"
	childName  = "TUTTI_STORETEST_CHILD"
	childSaves = "TUTTI_STORETEST_SAVES" // 0: until it is killed
)

// Main is what TestMain calls. It runs the tests, or in a child process that
// the suite started what the suite wants from it.
func Main(m *testing.M, subject Subject) {
	name, isChild := os.LookupEnv(childName)
	if !isChild {
		os.Exit(m.Run())
	}
	if err := child(context.Background(), subject, name); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// acknowledged is what a child says after each round, one JSON a line: all of
// it is saved.
type acknowledged struct {
	LastEventID int64  `json:"lastEventId"`
	Attempt     int    `json:"attempt"`
	Answer      string `json:"answer"`
	Content     string `json:"content"`
}

// child saves the same run as every other child, begins attempts of the same
// call, and gives its own answer to the same question.
func child(ctx context.Context, subject Subject, name string) error {
	saves, err := strconv.Atoi(os.Getenv(childSaves))
	if err != nil {
		return fmt.Errorf("%s: %w", childSaves, err)
	}
	st, err := subject.Open(ctx, os.Getenv(childPlace))
	if err != nil {
		return err
	}
	out := json.NewEncoder(os.Stdout)
	for i := 1; saves == 0 || i <= saves; i++ {
		done, err := round(ctx, st, name, int64(i))
		if err != nil {
			return fmt.Errorf("child %s, round %d: %w", name, i, err)
		}
		if err := out.Encode(done); err != nil {
			return err
		}
	}
	return st.Close()
}

func round(ctx context.Context, st store.Store, name string, i int64) (acknowledged, error) {
	done := acknowledged{LastEventID: i, Content: content.Digest(fmt.Sprint(name, i))}
	if err := st.PutContent(ctx, tenant, done.Content, fmt.Append(nil, name, i)); err != nil {
		return done, err
	}
	number, err := st.BeginAttempt(ctx, attempt(fmt.Sprint(name, "/", i)))
	if err != nil {
		return done, err
	}
	done.Attempt = number
	answer, err := st.SaveAnswer(ctx, ledger.Answer{CallKey: callKey(), PromptSHA256: "p", Body: []byte(name)})
	if err != nil {
		return done, err
	}
	done.Answer = string(answer.Body)
	_, err = st.SaveRun(ctx, snapshot(record(tenant, id(1)), i))
	return done, err
}

// startChild starts a child and hands each line of what it acknowledges to
// heard, until that says no or the child has ended; then the child is killed.
func startChild(t testing.TB, place, name string, saves int, heard func(acknowledged) bool) error {
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), childPlace+"="+place, childName+"="+name, childSaves+"="+strconv.Itoa(saves))
	cmd.Stderr = os.Stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	lines := bufio.NewScanner(stdout)
	for lines.Scan() {
		var done acknowledged
		if err := json.Unmarshal(lines.Bytes(), &done); err != nil {
			return fmt.Errorf("child %s: %w: %s", name, err, lines.Text())
		}
		if !heard(done) {
			require.NoError(t, cmd.Process.Kill())
			_ = cmd.Wait() // its end is the test's doing
			return nil
		}
	}
	return cmd.Wait()
}
