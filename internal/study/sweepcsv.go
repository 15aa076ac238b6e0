package study

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"locklab/history"
	"locklab/scenarios"
)

// A csvColumn is a column of a sweep's table behind those of the axes.
type csvColumn struct {
	name  string
	value func(c *history.Cell, rate *history.Rate) string
}

const ms = 1e6

// csvColumns are the columns; docs/results.md says what they mean.
var csvColumns = []csvColumn{
	{"runs", func(c *history.Cell, _ *history.Rate) string { return strconv.FormatInt(c.Runs, 10) }},
	{"conflict_rate", rateColumn(func(r *history.Rate) float64 { return r.Value })},
	{"conflict_rate_low", rateColumn(func(r *history.Rate) float64 { return r.Low })},
	{"conflict_rate_high", rateColumn(func(r *history.Rate) float64 { return r.High })},
	{"entries_mean", meanColumn(1, func(c *history.Cell) *history.Histogram { return &c.Entries })},
	{"conflicts_mean", meanColumn(1, func(c *history.Cell) *history.Histogram { return &c.Conflicts })},
	{"lost_holds_mean", meanColumn(1, func(c *history.Cell) *history.Histogram { return &c.LostHolds })},
	{"rejected_writes_mean", meanColumn(1, func(c *history.Cell) *history.Histogram { return &c.RejectedWrites })},
	{"gave_up_mean", meanColumn(1, func(c *history.Cell) *history.Histogram { return &c.GaveUp })},
	{"late_writes_mean", meanColumn(1, func(c *history.Cell) *history.Histogram { return &c.LateWrites })},
	{"stale_writes_mean", meanColumn(1, func(c *history.Cell) *history.Histogram { return &c.StaleWrites })},
	{"overlap_ms_mean", meanColumn(ms, func(c *history.Cell) *history.Histogram { return &c.OverlapNS })},
	{"false_belief_ms_mean", meanColumn(ms, func(c *history.Cell) *history.Histogram { return &c.FalseBeliefNS })},
	{"wait_ms_mean", meanColumn(ms, func(c *history.Cell) *history.Histogram { return &c.WaitNS })},
	{"wait_max_ms_mean", meanColumn(ms, func(c *history.Cell) *history.Histogram { return &c.WaitMaxNS })},
	{"end_ms_mean", meanColumn(ms, func(c *history.Cell) *history.Histogram { return &c.EndNS })},
	{"events_mean", meanColumn(1, func(c *history.Cell) *history.Histogram { return &c.Events })},
	{"bounded", func(c *history.Cell, _ *history.Rate) string { return strconv.FormatInt(c.Bounded, 10) }},
}

func meanColumn(unit float64, of func(*history.Cell) *history.Histogram) func(*history.Cell, *history.Rate) string {
	return func(c *history.Cell, _ *history.Rate) string { return csvNumber(of(c).Mean() / unit) }
}

// rateColumn is empty if nobody has entered.
func rateColumn(of func(*history.Rate) float64) func(*history.Cell, *history.Rate) string {
	return func(c *history.Cell, r *history.Rate) string {
		if c.Entries.Mean() == 0 {
			return ""
		}
		return csvNumber(of(r))
	}
}

// csvNumber writes a number to six digits, which is more than a simulation tells.
func csvNumber(v float64) string { return strconv.FormatFloat(v, 'g', 6, 64) }

// CSVHeader is the line with the names of a sweep's columns: the axes first, with their unit.
func (s *Sweep) CSVHeader() ([]byte, error) {
	var names []string
	for _, axis := range s.header.Axes {
		names = append(names, axisColumn(axis))
	}
	for _, c := range csvColumns {
		names = append(names, c.name)
	}
	return csvLine(names)
}

var noLetter = regexp.MustCompile(`[^A-Za-z0-9]+`)

// axisColumn is the name of an axis' column, e.g. pauses_0_for_ms for pauses[0].for.
func axisColumn(axis history.Axis) string {
	name := strings.Trim(noLetter.ReplaceAllString(axis.Path, "_"), "_")
	if _, ok := scenarios.DurationNS(axis.Values[0]); ok {
		return name + "_ms"
	}
	return name
}

// CSVRow is the line of a cell.
func (s *Sweep) CSVRow(c *history.Cell) ([]byte, error) {
	var fields []string
	for _, axis := range s.header.Axes {
		value := c.Params.Set[axis.Path]
		if ns, ok := scenarios.DurationNS(value); ok {
			value = inMS(ns)
		}
		fields = append(fields, value)
	}
	rate := c.ConflictRate()
	for _, column := range csvColumns {
		fields = append(fields, column.value(c, &rate))
	}
	return csvLine(fields)
}

// inMS is a duration in milliseconds, exactly.
func inMS(ns int64) string {
	text := fmt.Sprintf("%d.%06d", ns/ms, ns%ms)
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}

func csvLine(fields []string) ([]byte, error) {
	var line bytes.Buffer
	w := csv.NewWriter(&line)
	_ = w.Write(fields)
	w.Flush()
	return line.Bytes(), w.Error()
}
