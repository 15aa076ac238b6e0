package oracle

import (
	"context"
	"testing"

	"locklab/history"
	"locklab/internal/choice"
	"locklab/scenarios"
	"locklab/sim"
	"locklab/sim/batch"
)

// Cell by cell, holds of lesson/d are lost where the boundaries that plots draws say so: the long ones below TTL = pause + work,
// all of them below TTL = work, none beyond. A hold lasts for a few milliseconds more than pause and work: six ways of a
// command, and timers.
func TestHoldsAreLostWhereTheBoundariesSay(t *testing.T) {
	const ms, work, commands = int64(1e6), 300, 20
	lesson, err := scenarios.Builtin("lesson/d")
	if err != nil {
		t.Fatal(err)
	}
	for ttl := int64(60); ttl <= 2060; ttl += 100 {
		for pause := int64(40); pause <= 1960; pause += 120 {
			s := *lesson
			s.Pauses = append(s.Pauses[:0:0], lesson.Pauses...)
			s.Lock.TTL = ttl * ms
			s.Pauses[0].For = choice.Const(pause * ms)
			lost := lostHolds(t, &s)
			switch {
			case ttl <= work && lost.Min != 80:
				t.Errorf("TTL %d, pause %d: %d to %d holds lost, want all 80", ttl, pause, lost.Min, lost.Max)
			case ttl > work+commands && ttl <= pause+work && (lost.Min != 20 || lost.Max != 20):
				t.Errorf("TTL %d, pause %d: %d to %d holds lost, want the 20 with a pause", ttl, pause, lost.Min, lost.Max)
			case ttl > pause+work+commands && lost.Max != 0:
				t.Errorf("TTL %d, pause %d: up to %d holds lost, want none", ttl, pause, lost.Max)
			}
		}
	}
}

func lostHolds(t *testing.T, s *scenarios.Scenario) history.Stat {
	t.Helper()
	lab := scenarios.Lab()
	cell, err := batch.Run(context.Background(), batch.Job{World: sim.NewWorld(s, &lab), Source: history.Source{Seed: 1}, Runs: 10})
	if err != nil {
		t.Fatal(err)
	}
	return cell.LostHolds.Stat()
}
