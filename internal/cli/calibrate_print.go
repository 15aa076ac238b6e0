package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"text/tabwriter"

	"locklab/realrun/calibrate"
	"locklab/scenarios"
)

// printReport shows what a calibration found.
func printReport(w io.Writer, r *calibrate.Report, asJSON bool) error {
	if asJSON {
		return printReportJSON(w, r)
	}
	about := r.Profile.About
	fmt.Fprintf(w, "%s, %s, measured %s\n\n", about["machine"], about["store"], about["made"])
	if err := printDelays(w, r); err != nil {
		return err
	}
	fmt.Fprintln(w, `
in a row: the variance of sums of 12 delays in a row, over that of 12 independent ones`)
	fmt.Fprintln(w, "ways of a command:", about["ways"])
	if r.Profile.Tick > 0 {
		fmt.Fprintf(w, "timers wait in whole %s\n", microseconds(r.Profile.Tick, " µs"))
	}
	for _, e := range r.Profile.Network.Ways.ByCommand {
		fmt.Fprintf(w, "%s takes %s longer than other commands\n", scenarios.CommandName(e.Op), microseconds(e.More, " µs"))
	}
	if further := r.Profile.Network.Ways.Further; further > 0 {
		fmt.Fprintf(w, "of commands that are sent at once, each further one leaves %s later\n", microseconds(further, " µs"))
	}
	fmt.Fprintf(w, "of a processor, the supervisor takes %.1f %%, each worker %.1f %%\n", 100*r.Cost.Supervisor, 100*r.Cost.Worker)
	return printLoads(w, r)
}

// printDelays shows the table of all delays, alone and under load.
func printDelays(w io.Writer, r *calibrate.Report) error {
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(out, "microseconds\talone\t50 %%\t99 %%\t%d runs\t", r.Runs)
	for _, share := range calibrate.Shares {
		fmt.Fprintf(out, "%s %%\t", percent(share))
	}
	fmt.Fprintln(out, "most\tin a row\t")
	for i := range r.Delays {
		d := &r.Delays[i]
		fmt.Fprintf(out, "%s\t%d\t%s\t%s\t%d\t", d.Name, d.Alone.Samples, quantile(d.Alone.Quantiles[0]), quantile(d.Alone.Quantiles[2]), d.Load.Samples)
		for _, q := range d.Load.Quantiles {
			fmt.Fprintf(out, "%s\t", quantile(q))
		}
		fmt.Fprintf(out, "%s\t%s\t\n", quantile(d.Load.Most), ratio(d.Load.InARow))
	}
	return out.Flush()
}

func printLoads(w io.Writer, r *calibrate.Report) error {
	if len(r.Loads) == 0 {
		return nil
	}
	fmt.Fprintln(w)
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(out, "runs side by side\tlate, 50 %\t99 %\tcarried\t")
	for _, l := range r.Loads {
		carried := "no"
		if l.Carried {
			carried = "yes"
		}
		fmt.Fprintf(out, "%d\t%s\t%s\t%s\t\n", l.Runs, quantile(l.Median), quantile(l.P99), carried)
	}
	return out.Flush()
}

// printReportJSON prints a line for each delay alone and under load, one for each load, and one for the rest.
func printReportJSON(w io.Writer, r *calibrate.Report) error {
	var lines []any
	for i := range r.Delays {
		d := &r.Delays[i]
		if d.Alone.Samples > 0 {
			lines = append(lines, tailLine(d.Name, calibrate.Alone, &d.Alone, true))
		}
		if d.Load.Samples > 0 {
			lines = append(lines, tailLine(d.Name, r.Runs, &d.Load, false))
		}
	}
	for _, l := range r.Loads {
		lines = append(lines, map[string]any{"kind": "load", "runs": l.Runs, "late_p50_ns": l.Median, "late_p99_ns": l.P99, "carried": l.Carried})
	}
	more := map[string]int64{}
	for _, e := range r.Profile.Network.Ways.ByCommand {
		more[scenarios.CommandName(e.Op)] = e.More
	}
	lines = append(lines, map[string]any{
		"kind": "calibration", "about": r.Profile.About, "runs": r.Runs, "carries": r.Profile.Carries, "profile_hash": r.Profile.Hash(),
		"tick_ns": r.Profile.Tick, "by_command_ns": more, "further_ns": r.Profile.Network.Ways.Further, "supervisor_cpu": r.Cost.Supervisor, "worker_cpu": r.Cost.Worker, "others_cpu": r.Others,
	})
	for _, line := range lines {
		data, err := json.Marshal(line)
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintf(w, "%s\n", data); err != nil {
			return err
		}
	}
	return nil
}

func tailLine(name string, runs int, t *calibrate.Tail, alone bool) map[string]any {
	line := map[string]any{"kind": "delay", "delay": name, "runs": runs, "alone": alone, "samples": t.Samples, "max_ns": t.Most, "in_a_row": t.InARow}
	for i, share := range calibrate.Shares {
		key := "p" + string(slices.DeleteFunc([]byte(percent(share)), func(b byte) bool { return b == '.' })) + "_ns"
		line[key] = nil
		if q := t.Quantiles[i]; q != calibrate.Unknown {
			line[key] = q
		}
	}
	return line
}

// percent is a share in percent, e.g. 99.9.
func percent(share float64) string { return strconv.FormatFloat(100*share, 'g', 6, 64) }

// quantile is a quantile in microseconds.
func quantile(ns int64) string {
	if ns == calibrate.Unknown {
		return "–"
	}
	return microseconds(ns, "")
}

func microseconds(ns int64, unit string) string { return strconv.FormatInt(ns/1000, 10) + unit }

// ratio is a ratio; – if it is not known.
func ratio(r float64) string {
	if r == 0 {
		return "–"
	}
	return strconv.FormatFloat(r, 'f', 1, 64)
}
