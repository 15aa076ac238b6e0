package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"locklab/history"
	"locklab/internal/study"
)

func (c *realCommand) print(w io.Writer, store history.Store, out *realOutput) error {
	switch {
	case c.output == "-":
		return nil
	case c.json:
		for i := range out.records {
			if err := history.WriteLine(w, &out.records[i]); err != nil {
				return err
			}
		}
		return nil
	}
	fmt.Fprintf(w, "measured on %s %s, seed %d\n", store.Product, store.Version, c.seed)
	if out.grid != nil {
		return writeGrid(w, out.header, out.records)
	}
	return writeRecords(w, undisturbed(out.records))
}

func writeRecords(w io.Writer, records []history.Record) error {
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(out, "scenario\trepetition\tentries\tconflicts\trejected writes\tlost holds\tgave up\toverlap, ms\tlongest wait, ms\tend, ms\t")
	special := specialColumns(records)
	for _, column := range special {
		fmt.Fprint(out, textName(column.name)+"\t")
	}
	fmt.Fprintln(out)
	for _, r := range sortedRecords(records) {
		fmt.Fprintf(out, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t", r.Scenario, r.Run, r.Entries, r.Conflicts,
			r.RejectedWrites, r.LostHolds, r.GaveUp, r.OverlapNS/1e6, r.WaitMaxNS/1e6, r.EndNS/1e6)
		for _, column := range special {
			fmt.Fprintf(out, "%d\t", column.of(&r))
		}
		fmt.Fprintln(out)
	}
	return out.Flush()
}

// A recordColumn is a count of a record in a column.
type recordColumn struct {
	name string
	of   func(*history.Record) int64
}

// specialColumns are the columns of what most scenarios do not have: those of a resource if one was written, and waits for ever if
// there are any.
func specialColumns(records []history.Record) []recordColumn {
	written := slices.ContainsFunc(records, func(r history.Record) bool { return r.Updates > 0 })
	var columns []recordColumn
	for _, c := range []recordColumn{
		{"updates", func(r *history.Record) int64 { return r.Updates }},
		{"lost_updates", func(r *history.Record) int64 { return r.LostUpdates }},
		{"done_twice", func(r *history.Record) int64 { return r.DoneTwice }},
		{"not_done", func(r *history.Record) int64 { return r.NotDone }},
		{"retries", func(r *history.Record) int64 { return r.Retries }},
		{"never", func(r *history.Record) int64 { return r.Never }},
	} {
		some := slices.ContainsFunc(records, func(r history.Record) bool { return c.of(&r) > 0 })
		if some || written && c.name == "lost_updates" {
			columns = append(columns, c)
		}
	}
	return columns
}

// A gridRow is what was measured of one cell.
type gridRow struct {
	values    []string // of the axes
	kept      []history.Record
	disturbed int
}

// writeGrid writes a row for each cell of which there are records, in the order of the cells.
func writeGrid(w io.Writer, h *history.Sweep, records []history.Record) error {
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	for _, axis := range h.Axes {
		fmt.Fprintf(out, "%s\t", axis.Path)
	}
	fmt.Fprintln(out, "entries\tlost holds\toverlap, ms\tdisturbed\tconflicts\t")
	for _, row := range gridRows(h, records) {
		for _, value := range row.values {
			fmt.Fprintf(out, "%s\t", value)
		}
		fmt.Fprintf(out, "%s\t%s\t%s\t%d\t%s\t\n",
			row.mean(1, func(r *history.Record) int64 { return r.Entries }),
			row.mean(1, func(r *history.Record) int64 { return r.LostHolds }),
			row.mean(1e6, func(r *history.Record) int64 { return r.OverlapNS }),
			row.disturbed, row.conflicts())
	}
	return out.Flush()
}

func gridRows(h *history.Sweep, records []history.Record) []*gridRow {
	var rows []*gridRow
	at := make(map[string]*gridRow)
	for _, r := range records {
		var values []string
		for _, axis := range h.Axes {
			values = append(values, r.Params.Set[axis.Path])
		}
		key := strings.Join(values, " ")
		if at[key] == nil {
			at[key] = &gridRow{values: values}
			rows = append(rows, at[key])
		}
		if r.Disturbed {
			at[key].disturbed++
		} else {
			at[key].kept = append(at[key].kept, r)
		}
	}
	slices.SortStableFunc(rows, func(a, b *gridRow) int {
		for i, axis := range h.Axes {
			if c := cmp.Compare(slices.Index(axis.Values, a.values[i]), slices.Index(axis.Values, b.values[i])); c != 0 {
				return c
			}
		}
		return 0
	})
	return rows
}

// mean is that of a quantity over the repetitions, in the given unit.
func (g *gridRow) mean(unit float64, of func(*history.Record) int64) string {
	if len(g.kept) == 0 {
		return "–"
	}
	var sum float64
	for i := range g.kept {
		sum += float64(of(&g.kept[i]))
	}
	return fmt.Sprintf("%.1f", sum/unit/float64(len(g.kept)))
}

// conflicts are those of every repetition, in the order of the repetitions.
func (g *gridRow) conflicts() string {
	var all []string
	for _, r := range sortedRecords(g.kept) {
		all = append(all, fmt.Sprint(r.Conflicts))
	}
	return strings.Join(all, " ")
}

// reportMissing says which runs could not be measured and why, and is an error if there are any.
func reportMissing(w io.Writer, missing []study.Missing, wanted int) error {
	if len(missing) == 0 {
		return nil
	}
	fmt.Fprintf(w, "locklab: %d of %d runs were not measured:\n", len(missing), wanted)
	code := exitUnknown
	for _, m := range missing {
		if !errors.Is(m.Err, study.ErrDisturbed) {
			code = exitFailed
		}
		if !errors.Is(m.Err, context.Canceled) {
			fmt.Fprintf(w, "  %s: %v\n", m.Name(), m.Err)
		}
	}
	return exit(code)
}
