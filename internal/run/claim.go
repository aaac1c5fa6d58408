package run

import (
	"fmt"
	"strings"
	"time"
)

// JudgeClaim decides about a claim without changing anything.
func (r *Record) JudgeClaim(c ClaimRequest) (*Claim, *Rejection) {
	if strings.TrimSpace(c.Holder) == "" {
		return nil, reject(CodeHostResultInvalid, "the claim names no holder", `send {"holder": "<principal>/<session>"}`)
	}
	if r.Status.IsTerminal() {
		return nil, reject(CodeRunAlreadyEnded, fmt.Sprintf("the run has ended as %s", r.Status), "start a new run")
	}
	t, rejected := r.claimable(c)
	if rejected != nil {
		return nil, rejected
	}
	lease := time.Duration(c.LeaseSeconds) * time.Second
	if lease <= 0 {
		lease = defaultLease
	}
	token := int64(1)
	if t.Host != nil {
		token = t.Host.ClaimToken + 1
		if t.Host.ClaimedBy == c.Holder && t.Host.ClaimToken > 0 && r.claimIsLive(t) {
			token = t.Host.ClaimToken // The same holder renews and keeps its token.
		}
	}
	return &Claim{TaskID: t.ID, Token: token, ExpiresAt: r.now.Add(min(lease, maxLease)).UTC()}, nil
}

func (r *Record) claimable(c ClaimRequest) (*Task, *Rejection) {
	if c.TaskID != "" {
		t := r.TaskByID(c.TaskID)
		if t == nil {
			return nil, reject(CodeTaskNotFound, fmt.Sprintf("run %s has no task %q", r.RunID, c.TaskID), "use a task ID that the run shows")
		}
		return t, r.checkClaimable(t, c)
	}
	var held *Rejection
	for i := range r.Tasks {
		rejected := r.checkClaimable(&r.Tasks[i], c)
		if rejected == nil {
			return &r.Tasks[i], nil
		}
		if rejected.Code == CodeHostClaimHeld && held == nil {
			held = rejected
		}
	}
	if held != nil {
		return nil, held
	}
	return nil, reject(CodeTaskNotAwaiting, "no task of the run awaits a host", "wait, or look at the run's status")
}

func (r *Record) checkClaimable(t *Task, c ClaimRequest) *Rejection {
	if t.Status != TaskAwaitingHost {
		return reject(CodeTaskNotAwaiting, fmt.Sprintf("task %s is %s and awaits no host", t.ID, t.Status), "ask for the next task")
	}
	if !r.claimIsLive(t) || t.Host.ClaimedBy == c.Holder {
		return nil
	}
	if c.Takeover && principalOf(t.Host.ClaimedBy) == principalOf(c.Holder) {
		return nil
	}
	return reject(CodeHostClaimHeld, fmt.Sprintf("task %s is in the hands of %s until %s", t.ID, t.Host.ClaimedBy, t.Host.ClaimExpires.Format(time.RFC3339)),
		"take another task, wait until then, or take it over with takeover if it is your own")
}

func (r *Record) claimIsLive(t *Task) bool {
	return t.Host != nil && t.Host.ClaimExpires != nil && r.now.Before(*t.Host.ClaimExpires)
}

// claim applies a claim; one that is refused changes nothing.
func (r *Record) claim(e HostClaimed) {
	granted, rejected := r.JudgeClaim(e.Claim)
	if rejected != nil {
		return
	}
	host := r.TaskByID(granted.TaskID).host()
	host.ClaimedBy, host.ClaimToken, host.ClaimExpires = e.Claim.Holder, granted.Token, &granted.ExpiresAt
}
