package activities_test
import ("testing";"time";"fmt";"go.temporal.io/sdk/activity")
func TestDbg(t *testing.T){
 for i:=range 3 {
 s := newStage(t)
 s.sdk.pose(func(info *activity.Info) {
		info.ActivityID, info.Attempt= "engineer/1", 1
		if i==1 { info.HeartbeatTimeout=time.Second}
		if i==2 { info.TaskToken = []byte("mine")}
	})
 s.model.outcomes = append(s.model.outcomes, answer("x"))
 _,err:=s.execute(task()); fmt.Println(i, err); fmt.Println(s.logs.String())
 }
}
