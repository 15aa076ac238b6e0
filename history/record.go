package history

import "fmt"

// World says where a run took place.
type World string

// The two worlds.
const (
	Sim  World = "sim"
	Real World = "real"
)

// A Source says what a run or a group of runs came from. Runs of two worlds answer each other if their
// ScenarioHash, Params and ProfileHash are equal.
type Source struct {
	Scenario     string  `json:"scenario"`
	ScenarioHash string  `json:"scenario_hash"`
	Params       Params  `json:"params"`
	Published    *Counts `json:"published,omitempty"` // what somebody else measured, from the scenario
	World        World   `json:"world"`
	Seed         uint64  `json:"seed"`
	Profile      string  `json:"profile"`      // sim: what the prediction assumed; real: what was measured for it
	ProfileHash  string  `json:"profile_hash"` // empty in a real record for which no profile was measured
	Store        Store   `json:"store"`
}

// Params is what was changed from the scenario as it is written.
type Params struct {
	Scale float64           `json:"scale"`         // durations were multiplied by this; 1 for none
	Set   map[string]string `json:"set,omitempty"` // path: value
}

// Counts are published counts.
type Counts struct {
	Entries        int64  `json:"entries"`
	Conflicts      int64  `json:"conflicts"`
	RejectedWrites *int64 `json:"rejected_writes,omitempty"`
}

// Store is what answered the commands: product "model" in the simulator, else "redis" or "valkey".
type Store struct {
	Product string `json:"product"`
	Version string `json:"version,omitempty"`
}

// A Record is the outcome of one run, one JSON line. The fields that only the simulator can know are null in a
// real record.
type Record struct {
	Kind string `json:"kind"` // "run"
	Source
	Run            int    `json:"run"` // sim: number within the batch; real: repetition; from 0
	Entries        int64  `json:"entries"`
	Conflicts      int64  `json:"conflicts"`
	OverlapNS      int64  `json:"overlap_ns"`
	AcceptedWrites int64  `json:"accepted_writes"`
	RejectedWrites int64  `json:"rejected_writes"`
	LostHolds      int64  `json:"lost_holds"`
	GaveUp         int64  `json:"gave_up"`
	Never          int64  `json:"never,omitempty"`
	Refused        int64  `json:"refused"`
	Waits          int64  `json:"waits"`
	WaitNS         int64  `json:"wait_ns"`
	WaitMaxNS      int64  `json:"wait_max_ns"`
	EndNS          int64  `json:"end_ns"`
	Commands       int64  `json:"commands"`
	Updates        int64  `json:"updates,omitempty"`
	LostUpdates    int64  `json:"lost_updates,omitempty"`
	DoneTwice      int64  `json:"done_twice,omitempty"`
	NotDone        int64  `json:"not_done,omitempty"`
	Missing        int64  `json:"missing,omitempty"`
	Retries        int64  `json:"retries,omitempty"`
	WastedNS       int64  `json:"wasted_ns,omitempty"`
	LateWrites     *int64 `json:"late_writes"`
	StaleWrites    *int64 `json:"stale_writes"`
	FalseBeliefNS  *int64 `json:"false_belief_ns"`
	Events         *int64 `json:"events"` // arrivals at a store, replies and timers
	Bounded        bool   `json:"bounded,omitempty"`
	HistoryHash    string `json:"history_hash"`
	Disturbed      bool   `json:"disturbed,omitempty"`   // real only: the machine or the store was not what the profile says
	Disturbance    string `json:"disturbance,omitempty"` // in which way; empty if not disturbed
}

// Tally is what the record says was counted. What only the simulator can know is 0 of a real one.
func (r *Record) Tally() Tally {
	t := Tally{
		Entries: r.Entries, Conflicts: r.Conflicts, Overlap: r.OverlapNS, AcceptedWrites: r.AcceptedWrites, RejectedWrites: r.RejectedWrites,
		LostHolds: r.LostHolds, GaveUp: r.GaveUp, Never: r.Never, Refused: r.Refused, Waits: r.Waits, Wait: r.WaitNS, WaitMax: r.WaitMaxNS,
		End: r.EndNS, Updates: r.Updates, LostUpdates: r.LostUpdates, DoneTwice: r.DoneTwice, Retries: r.Retries, Wasted: r.WastedNS,
		AtEnd: AtEnd{Commands: r.Commands, Missing: r.Missing, NotDone: r.NotDone},
	}
	if r.LateWrites != nil && r.StaleWrites != nil && r.FalseBeliefNS != nil {
		t.LateWrites, t.StaleWrites, t.FalseBelief = *r.LateWrites, *r.StaleWrites, *r.FalseBeliefNS
	}
	return t
}

// Damage is what went wrong at the resource: updates lost, jobs done twice, jobs not done.
func (r *Record) Damage() int64 { return r.LostUpdates + r.DoneTwice + r.NotDone }

// NewRecord is the record of a run with the given tally and history hash. events is the simulator's count, and
// counts only if the source says that the run was simulated.
func NewRecord(src Source, run int, t *Tally, hash uint64, events int64) Record {
	r := Record{
		Kind: "run", Source: src, Run: run,
		Entries: t.Entries, Conflicts: t.Conflicts, OverlapNS: t.Overlap,
		AcceptedWrites: t.AcceptedWrites, RejectedWrites: t.RejectedWrites,
		LostHolds: t.LostHolds, GaveUp: t.GaveUp, Never: t.Never, Refused: t.Refused,
		Waits: t.Waits, WaitNS: t.Wait, WaitMaxNS: t.WaitMax, EndNS: t.End,
		Commands: t.Commands, Updates: t.Updates, LostUpdates: t.LostUpdates, DoneTwice: t.DoneTwice, NotDone: t.NotDone,
		Missing: t.Missing, Retries: t.Retries, WastedNS: t.Wasted,
		HistoryHash: fmt.Sprintf("%016x", hash),
	}
	if src.World == Sim {
		late, stale, belief := t.LateWrites, t.StaleWrites, t.FalseBelief
		r.LateWrites, r.StaleWrites, r.FalseBeliefNS, r.Events = &late, &stale, &belief, &events
	}
	return r
}
