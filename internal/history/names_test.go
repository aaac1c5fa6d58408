package history

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestActivityIDsAreTakenApartAsTheyWereMade(t *testing.T) {
	t.Parallel()
	for _, task := range []string{"reviewer", "reviewer-2", "a.b_c", "with/slash"} {
		for _, n := range []int{1, 2, 17} {
			for id, want := range map[string]activityName{
				CallActivityID(task, 1, n):  {taskID: task, purpose: forCall, call: 1},
				CallActivityID(task, 12, n): {taskID: task, purpose: forCall, call: 12},
				PromptActivityID(task, n):   {taskID: task, purpose: forPrompt},
				QueueActivityID(task, n):    {taskID: task, purpose: forQueue},
			} {
				name, ok := parseActivityID(id)
				require.True(t, ok, id)
				require.Equal(t, want, name, id)
			}
		}
	}
	require.Equal(t, "reviewer/1", CallActivityID("reviewer", 1, 1))
	require.Equal(t, "reviewer/1~2", CallActivityID("reviewer", 1, 2))
}

func TestWhatIsNoTasksActivity(t *testing.T) {
	t.Parallel()
	for _, id := range []string{
		"", PlanActivityID(), "reviewer", "/1", "/prompt", "reviewer/", "reviewer/0", "reviewer/-1",
		"reviewer/one", "reviewer/~2", "reviewer/1.5", "reviewer/99999999999999999999",
	} {
		_, ok := parseActivityID(id)
		require.False(t, ok, id)
	}
}

func FuzzActivityID(f *testing.F) {
	f.Add("reviewer", 1, 1)
	f.Add("a/b~c", 3, 2)
	f.Fuzz(func(t *testing.T, task string, call, n int) {
		if name, ok := parseActivityID(task); ok && (name.taskID == "" || !strings.HasPrefix(task, name.taskID+"/")) {
			t.Errorf("%q is of task %q", task, name.taskID)
		}
		if task == "" || call < 1 {
			return
		}
		name, ok := parseActivityID(CallActivityID(task, call, n))
		if !ok || name != (activityName{taskID: task, purpose: forCall, call: call}) {
			t.Errorf("call %d of %q, time %d, is read as %+v", call, task, n, name)
		}
	})
}
