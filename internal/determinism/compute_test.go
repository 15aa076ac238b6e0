package determinism

import (
	"bufio"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash"
	"io"

	"locklab/history"
	"locklab/internal/choice"
	"locklab/internal/study"
	"locklab/scenarios"
	"locklab/sim/explore"
)

const (
	everything = "testdata/everything.yaml"
	laws       = "testdata/laws.yaml"
)

// writeAll computes everything and writes a line of hashes for each part.
func writeAll(w io.Writer) error {
	out := bufio.NewWriter(w)
	fmt.Fprintln(out, "# Hashes of what the simulator says; see determinism_test.go.")
	writeLaws(out)
	for _, part := range []func(io.Writer) error{writeRuns, writeScaled, writeChecks} {
		if err := part(out); err != nil {
			return err
		}
	}
	return out.Flush()
}

// A sum is the beginning of a SHA-256 of what was written to it.
type sum struct{ hash.Hash }

func newSum() sum { return sum{sha256.New()} }

func (s sum) String() string { return fmt.Sprintf("%x", s.Sum(nil)[:6]) }

func (s sum) number(v int64) {
	if err := binary.Write(s, binary.LittleEndian, v); err != nil {
		panic(err) // a hash takes everything
	}
}

const day = 24 * 3600 * 1_000_000_000

// writeLaws is about laws with so long durations that a different last bit shows, and about what statistics print.
func writeLaws(w io.Writer) {
	for _, factor := range []float64{1, 0.1, 1.0 / 3, 0.37, 999.7} {
		writeScaledLaws(w, "laws", factor, []choice.Law{
			{Kind: choice.Exponential, A: day},
			{Kind: choice.Uniform, A: 1, B: day},
			{Kind: choice.Empirical, Samples: []int64{1, 3, 10, day}},
		})
		writeScaledLaws(w, "lognormal laws", factor, []choice.Law{
			{Kind: choice.Lognormal, A: day / 3, B: day},
			{Kind: choice.Lognormal, A: day, B: day + 1},
			{Kind: choice.Lognormal, A: 1000, B: 1_000_000},
		})
		writeScaledLaws(w, "sequences", factor, []choice.Law{choice.InSequence([]int64{day, 1, 10, 3, 1})})
	}
}

func writeScaledLaws(w io.Writer, name string, factor float64, laws []choice.Law) {
	draws, printed := newSum(), newSum()
	for i := range laws {
		law := laws[i].Scaled(factor)
		stream := choice.Seeded(uint64(i)).Stream(choice.NameOf("determinism", i, "law"), choice.Fixed)
		var h history.Histogram
		for range 20_000 {
			d := law.Draw(&stream)
			draws.number(d)
			h.AddRounded(d / 1_000_000)
		}
		draws.number(law.Min())
		draws.number(law.Mean())
		draws.number(law.Max())
		if err := json.NewEncoder(printed).Encode(h.Stat()); err != nil {
			panic(err) // plain numbers
		}
	}
	fmt.Fprintf(w, "%s scaled by %g: draws %s, statistics %s\n", name, factor, draws, printed)
}

func profiles() ([]*scenarios.Profile, error) {
	odd, err := scenarios.LoadProfile("testdata/odd.yaml")
	if err != nil {
		return nil, err
	}
	ideal, lab := scenarios.Ideal(), scenarios.Lab()
	return []*scenarios.Profile{&ideal, &lab, odd}, nil
}

func writeRuns(w io.Writer) error {
	all, err := profiles()
	if err != nil {
		return err
	}
	for _, name := range append(scenarios.Names(), everything, laws) {
		e, err := study.NewExperiment(name, nil, 1)
		if err != nil {
			return err
		}
		for _, p := range all {
			for _, seed := range []uint64{1, 0xfedcba9876543210} {
				if err := writeCell(w, e, p, seed); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// writeScaled is about what a factor does to a scenario.
func writeScaled(w io.Writer) error {
	lab := scenarios.Lab()
	for _, name := range []string{"lesson/d", "lesson/e"} {
		e, err := study.NewExperiment(name, []string{"pauses[0].for={exponential: 1333333333ns}"}, 0.37)
		if err != nil {
			return err
		}
		if err := writeCell(w, e, &lab, 1); err != nil {
			return err
		}
	}
	return nil
}

// writeCell is about many runs of one scenario under one profile.
func writeCell(w io.Writer, e *study.Experiment, p *scenarios.Profile, seed uint64) error {
	const runs, traced = 70, 2 // more runs than one goroutine takes at a time
	records, cell, histories, stories := newSum(), newSum(), newSum(), newSum()
	if err := writeRecords(records, cell, e, p, seed, runs); err != nil {
		return err
	}
	for run := range uint64(traced) {
		events := study.Trace(e, p, seed, run).Events
		for i := range events {
			if err := history.WriteLine(histories, &events[i]); err != nil {
				return err
			}
		}
		if err := history.WriteStory(stories, events); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(w, "%s %s seed %d: records %s, cell %s, histories %s, stories %s\n",
		e.Scenario.Name, p.Name, seed, records, cell, histories, stories)
	return err
}

// writeRecords writes the records and the cell of a batch.
func writeRecords(records, cell io.Writer, e *study.Experiment, p *scenarios.Profile, seed uint64, runs int) error {
	prediction := study.Prediction{Profile: p, Seed: seed, Runs: runs}
	prediction.Each = func(r *history.Record) error { return history.WriteLine(records, r) }
	c, err := prediction.Predict(background, e)
	if err != nil {
		return err
	}
	return history.WriteLine(cell, c)
}

// writeChecks is about what an exploration finds.
func writeChecks(w io.Writer) error {
	all, err := profiles()
	if err != nil {
		return err
	}
	for _, name := range []string{"lesson/b", "lesson/e"} {
		for _, p := range all {
			s, err := scenarios.Builtin(name)
			if err != nil {
				return err
			}
			report, err := explore.Explore(background, s, p, explore.Bounds{Rounds: 1, Deviations: 1}, nil)
			if err != nil {
				return err
			}
			found := newSum()
			if err := json.NewEncoder(found).Encode(report); err != nil {
				return err
			}
			fmt.Fprintf(w, "check %s %s: %d runs, report %s\n", name, p.Name, report.Runs, found)
		}
	}
	return nil
}
