package store

import (
	"cmp"
	"strings"
)

// Key is the run's place in the lists of Sweeps, which go by tenant and run ID.
// The key of the last run is the `after` of the next call of OpenRuns.
func (o Open) Key() string { return o.Tenant + "\x00" + o.RunID }

// ParseKey splits what Key wrote; the empty key stands before every run.
// Neither part can hold the NUL byte between them.
func ParseKey(key string) (tenant, runID string) {
	tenant, runID, _ = strings.Cut(key, "\x00")
	return tenant, runID
}

// OpenOf names the snapshot's run.
func OpenOf(s Snapshot) Open {
	return Open{
		Tenant: s.Record.TenantID, RunID: s.Record.RunID,
		TemporalRunID: s.Record.TemporalRunID, LastEventID: s.Record.LastEventID, Builder: s.Builder,
	}
}

// IsOf says that the row is of the Temporal run that is asked for, and folded by the
// builder or a newer one.
func (o Open) IsOf(asked Open, builder int) bool {
	return o.TemporalRunID == asked.TemporalRunID && o.Builder >= builder
}

// Compare is the order of the lists of Sweeps.
func (o Open) Compare(p Open) int {
	return cmp.Or(strings.Compare(o.Tenant, p.Tenant), strings.Compare(o.RunID, p.RunID))
}

// CompareOutdated is the order of OutdatedRuns: the oldest builder's first.
func (o Open) CompareOutdated(p Open) int {
	return cmp.Or(cmp.Compare(o.Builder, p.Builder), o.Compare(p))
}

// SweepLimit is the number of runs that a list of Sweeps returns at most; zero
// means MaxLimit.
func SweepLimit(limit int) int {
	if limit <= 0 {
		return MaxLimit
	}
	return limit
}
