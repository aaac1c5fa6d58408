package store

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/tutti-dev/tutti/internal/run"
)

// Encoded is a snapshot in the bytes that every adapter keeps, so that a record
// read from any of them is the same record.
type Encoded struct {
	// Record is the whole record as JSON.
	Record []byte
	// Listing is the record as it stands on a page, as JSON; it is Record itself where
	// nothing was cut.
	Listing []byte
	// Events are the events in order, each as run.EncodeEvent writes it.
	Events [][]byte
}

// Encode returns the snapshot's bytes.
func Encode(s Snapshot) (Encoded, error) {
	var e Encoded
	var err error
	if e.Record, err = json.Marshal(s.Record); err != nil {
		return Encoded{}, fmt.Errorf("encode run %s: %w", s.Record.RunID, err)
	}
	var c cutter
	listing := c.listing(s.Record)
	if e.Listing = e.Record; c.cut {
		if e.Listing, err = json.Marshal(listing); err != nil {
			return Encoded{}, fmt.Errorf("encode run %s: %w", s.Record.RunID, err)
		}
	}
	for i, event := range s.Events {
		raw, err := run.EncodeEvent(event)
		if err != nil {
			return Encoded{}, fmt.Errorf("run %s, event %d: %w", s.Record.RunID, i, err)
		}
		e.Events = append(e.Events, raw)
	}
	return e, nil
}

// Decode returns the snapshot that was encoded. Current is not kept: it was
// true of the moment of the save.
func Decode(builder int, record []byte, events [][]byte) (Snapshot, error) {
	s := Snapshot{Builder: builder}
	if err := json.Unmarshal(record, &s.Record); err != nil {
		return Snapshot{}, fmt.Errorf("decode run: %w", err)
	}
	for _, raw := range events {
		event, err := run.DecodeEvent(raw)
		if err != nil {
			return Snapshot{}, fmt.Errorf("run %s: %w", s.Record.RunID, err)
		}
		s.Events = append(s.Events, event)
	}
	return s, nil
}

// DecodeListing returns the record of a page.
func DecodeListing(listing []byte) (run.Record, error) {
	var r run.Record
	if err := json.Unmarshal(listing, &r); err != nil {
		return run.Record{}, fmt.Errorf("decode run: %w", err)
	}
	return r, nil
}

// Micro returns the time as stores keep times: in UTC, to the microsecond,
// which is what a database's timestamp holds. Only the times inside a record's
// and an event's own JSON are exact to the nanosecond.
func Micro(t time.Time) time.Time { return t.UTC().Truncate(time.Microsecond) }
