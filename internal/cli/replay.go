package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"locklab/internal/study"
	"locklab/scenarios"
	"locklab/sim/explore"
)

// A replayVerdict is what came of a counterexample on real Redis, as real --replay --json prints it.
type replayVerdict struct {
	Property    explore.Property    `json:"property"`
	Happened    int                 `json:"happened"` // in so many runs
	Runs        int                 `json:"runs"`
	NotReplayed []explore.Deviation `json:"not_replayed,omitempty"` // what only the simulator can do
	visible     bool
}

// runReplay carries a counterexample out on real Redis, and says whether its violation happens there too.
func (c *realCommand) runReplay(cmd *cobra.Command, args []string) (err error) {
	if len(args) > 0 || len(c.with.set) > 0 || c.with.scale != 1 {
		return errors.New("real: --replay carries out what its file says; leave out scenarios, --set and --scale")
	}
	x, err := readCounterexample(c.replay)
	if err != nil {
		return fmt.Errorf("real --replay: %w; check writes such files", err)
	}
	e, rest, err := x.Experiment()
	if err != nil {
		return fmt.Errorf("real --replay %s: %w", c.replay, err)
	}
	session, err := c.redis.open(cmd.Context())
	if err != nil {
		return err
	}
	defer closing(session, &err)
	v := replayVerdict{Property: x.Property, NotReplayed: rest}
	lab := scenarios.Lab() // nothing is compared, so no profile is measured
	m := study.Measurement{Profile: &lab, Seed: c.seed, Reps: c.reps, Parallel: c.parallel}
	m.Each = func(run study.Measured) error {
		happened, visible := study.Happened(x.Property, run.Events)
		v.Runs++
		v.visible = visible
		if happened {
			v.Happened++
		}
		return nil
	}
	missing, err := m.Measure(cmd.Context(), session, []*study.Experiment{e})
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
	for i := range v.NotReplayed {
		fmt.Fprintf(w, "only a simulator can do this, so it was left out: %s\n", v.NotReplayed[i].String())
	}
	if !v.visible {
		_, err := fmt.Fprintf(w, "%s: no measured history can show whether it was violated\n", v.Property)
		return err
	}
	_, err := fmt.Fprintf(w, "%s: violated in %d of %d runs on real Redis\n", v.Property, v.Happened, v.Runs)
	return err
}

func (v *replayVerdict) code() int {
	switch {
	case v.Happened > 0:
		return exitFinding
	case !v.visible:
		return exitUnknown
	}
	return exitOK
}
