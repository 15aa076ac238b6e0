package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"locklab/history"
	"locklab/internal/study"
	"locklab/scenarios"
	"locklab/sim/explore"
)

// A replayVerdict is what came of a counterexample on real Redis, as real --replay --json prints it.
type replayVerdict struct {
	Scenario    string              `json:"scenario"`
	Property    explore.Property    `json:"property"`
	Happened    int                 `json:"happened"` // in so many runs
	Runs        int                 `json:"runs"`     // that were measured
	Visible     bool                `json:"visible"`  // false if no measured history can show the violation
	Seed        uint64              `json:"seed"`
	Store       history.Store       `json:"store"`
	NotReplayed []explore.Deviation `json:"not_replayed,omitempty"` // what only the simulator can do
}

// runReplay carries a counterexample out on real Redis, and says whether its violation happens there too.
func (c *realCommand) runReplay(cmd *cobra.Command, args []string) (err error) {
	if len(args) > 0 {
		return errors.New("real: --replay carries out what its file says; leave out the scenarios")
	}
	for _, name := range []string{"set", "scale", "profile", "output"} {
		if cmd.Flags().Changed(name) {
			return fmt.Errorf("real: --replay carries out what its file says and writes no records; leave out --%s", name)
		}
	}
	x, err := readCounterexample(c.replay)
	if err != nil {
		return fmt.Errorf("real --replay: %w; check writes such files", err)
	}
	e, rest, err := x.Experiment()
	if err != nil {
		return fmt.Errorf("real --replay: %s: %w", c.replay, err)
	}
	end, err := alone(cmd)
	if err != nil {
		return err
	}
	defer end()
	session, err := c.redis.open(cmd.Context())
	if err != nil {
		return err
	}
	defer closing(session, &err)
	if err := makeDir(c.histories); err != nil {
		return err
	}
	v := replayVerdict{Scenario: e.Scenario.Name, Property: x.Property, Seed: c.seed, Store: session.Store(), NotReplayed: rest}
	_, v.Visible = study.Happened(x.Property, nil)
	bar := newBars(cmd.ErrOrStderr())
	bar.Begin("replay", c.reps)
	lab := scenarios.Lab() // nothing is compared, so no profile is measured
	m := c.measurement(&lab)
	m.Each = func(run study.Measured) error {
		if run.Record.Disturbed {
			return c.keepHistory(&run, false)
		}
		bar.Add(1)
		v.Runs++
		if happened, _ := study.Happened(x.Property, run.Events); happened {
			v.Happened++
		}
		return c.keepHistory(&run, false)
	}
	missing, err := m.Measure(cmd.Context(), session, []*study.Experiment{e})
	bar.End()
	if err != nil {
		return err
	}
	if err := v.print(cmd.OutOrStdout(), c.json); err != nil {
		return err
	}
	if err := reportMissing(cmd.ErrOrStderr(), missing, c.reps); err != nil {
		return err
	}
	return exitWith(v.code())
}

func (v *replayVerdict) print(w io.Writer, asJSON bool) error {
	if asJSON {
		return json.NewEncoder(w).Encode(v)
	}
	fmt.Fprintf(w, "%s on %s %s, seed %d\n", v.Scenario, v.Store.Product, v.Store.Version, v.Seed)
	for i := range v.NotReplayed {
		fmt.Fprintf(w, "left out, since only the simulator can do it: %s\n", v.NotReplayed[i].String())
	}
	if !v.Visible {
		_, err := fmt.Fprintf(w, "%s: no measured history can show whether it is violated\n", v.Property)
		return err
	}
	_, err := fmt.Fprintf(w, "%s: violated in %d of %d runs\n", v.Property, v.Happened, v.Runs)
	return err
}

func (v *replayVerdict) code() int {
	switch {
	case v.Happened > 0:
		return exitFinding
	case !v.Visible:
		return exitUnknown
	}
	return exitOK
}
