package compare

import (
	"fmt"
	"slices"
	"strings"

	"locklab/history"
)

// obstacles are the reasons why a row cannot be tested; none if it can.
func obstacles(r *Row) []string {
	why := unpaired(r)
	if p := r.Simulated; p != nil && p.ranking.runs() < MinRuns {
		why = append(why, fewRuns(p.ranking.runs()))
	}
	if r.Measured != nil && r.N < MinReps {
		why = append(why, fmt.Sprintf("only %d repetitions, need %d", r.N, MinReps))
	}
	return why
}

func fewRuns(runs int64) string {
	return fmt.Sprintf("the prediction has only %d runs, need %d", runs, MinRuns)
}

func unpaired(r *Row) []string {
	switch {
	case r.Measured == nil:
		return []string{"no measurement"}
	case r.Simulated != nil:
		return nil
	case r.Measured.ProfileHash == "":
		return []string{"no profile was measured for these repetitions, so nothing predicts them"}
	}
	return []string{fmt.Sprintf("no prediction for this scenario, these parameters and the profile %s that was measured for it",
		r.Measured.Profile)}
}

// difference says how the row's measurement is not what was predicted.
func difference(r *Row) string {
	predicted := r.Simulated.Conflicts
	if predicted.P0_5 <= slices.Min(r.Measured.Conflicts) && slices.Max(r.Measured.Conflicts) <= predicted.P99_5 && r.updates() {
		return fmt.Sprintf("measured damage %s, predicted %s", every(r.Measured.Damage), interval(r.Simulated.Damage))
	}
	if predicted.Min == predicted.Max {
		return fmt.Sprintf("every simulated run has %d conflicts, measured were %s",
			predicted.Min, every(r.Measured.Conflicts))
	}
	return fmt.Sprintf("measured %.1f conflicts on average, predicted %s; mean rank %.2f",
		statOf(r.Measured.Conflicts).Mean, interval(predicted), average(r.Ranks))
}

// shortfall says how many of the wanted repetitions are missing, if only some are.
func shortfall(r *Row) []string {
	if r.NotMeasured == 0 || r.N == 0 {
		return nil
	}
	return []string{fmt.Sprintf("%d of %d repetitions were not measured", r.NotMeasured, r.N+r.NotMeasured)}
}

// findings say what is to be known about the numbers of a row, whatever the verdict.
func findings(r *Row) []string {
	var found []string
	for _, p := range []*Prediction{r.Reference, r.Simulated} {
		if p != nil {
			found = append(found, silent("simulated under "+p.Profile, p.Conflicts.Mean, p.LostHolds.Mean)...)
			found = append(found, cutShort("simulated under "+p.Profile, p.Bounded, p.Runs)...)
		}
	}
	if m := r.Measured; m != nil {
		found = append(found, silent("measured", statOf(m.Conflicts).Mean, statOf(m.LostHolds).Mean)...)
		found = append(found, cutShort("measured", m.Bounded, int64(r.N))...)
		if m.Disturbed > 0 {
			found = append(found, "measured: "+disturbed(m.Disturbed))
		}
	}
	if len(r.hidden) > 0 {
		found = append(found, "also predicted under "+strings.Join(r.hidden, ", ")+", not shown")
	}
	return found
}

// silent is the finding of a lock that failed nearly without conflicts.
func silent(where string, conflicts, lost float64) []string {
	if finding := history.SilentFailure(conflicts, lost); finding != "" {
		return []string{where + ": " + finding}
	}
	return nil
}

func cutShort(where string, bounded, runs int64) []string {
	if bounded == 0 {
		return nil
	}
	return []string{fmt.Sprintf("%s: %d of %d runs were cut short", where, bounded, runs)}
}

// disturbed says what became of so many disturbed runs, at least one.
func disturbed(runs int64) string {
	if runs == 1 {
		return "1 disturbed run is left out"
	}
	return fmt.Sprintf("%d disturbed runs are left out", runs)
}

// average of ranks, at least one.
func average(xs []float64) float64 {
	var sum float64
	for _, x := range xs {
		sum += x
	}
	return sum / float64(len(xs))
}
