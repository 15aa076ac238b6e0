package study

import (
	"context"
	"strconv"

	"locklab/history"
)

// How an update behaves when more and more workers want it is tried on the account, without pauses, with shorter work and fewer
// rounds. All numbers of workers are simulated, some are measured.
var (
	contending         = []string{"lesson/balance-unlocked", "lesson/balance-locked", "lesson/balance-fenced", "lesson/atomic", "lesson/optimistic", "lesson/versioned", "lesson/transaction", "lesson/partition"}
	contenders         = []int{2, 4, 8, 16, 32}
	contendersMeasured = []int{2, 8, 32}
)

// contention are the experiments with so many workers.
func contention(workers []int, scale float64) ([]*Experiment, error) {
	var all []*Experiment
	for _, name := range contending {
		for _, n := range workers {
			e, err := NewExperiment(name, []string{"workers=" + strconv.Itoa(n), "rounds=4", "work=25ms", "pauses=null"}, scale)
			if err != nil {
				return nil, err
			}
			all = append(all, e)
		}
	}
	return all, nil
}

// contentionRuns is how many runs are simulated for each number of workers.
func (l *lesson) contentionRuns() int { return max(20, l.Runs/20) }

// contend predicts and measures how the updates behave under contention.
func (l *lesson) contend(ctx context.Context) error {
	experiments, err := contention(contenders, l.Scale)
	if err != nil {
		return err
	}
	runs := l.contentionRuns()
	l.Progress.Begin("simulate contention", len(experiments)*runs)
	prediction := Prediction{Profile: l.result.Profile, Seed: l.Seed, Runs: runs, Done: l.Progress.Add}
	cells, err := prediction.PredictAll(ctx, experiments)
	if err != nil {
		return err
	}
	for _, c := range cells {
		l.contended.Cells = append(l.contended.Cells, *c)
	}
	if experiments, err = contention(contendersMeasured, l.Scale); err != nil {
		return err
	}
	const fewProcesses = 4 // runs of 32 workers at a time
	m := &Measurement{Profile: l.result.Profile, Seed: l.Seed, Reps: 1, Parallel: fewProcesses, Repeats: 0, Stage: l.Progress.BeginFor}
	m.Each = func(run Measured) error {
		l.contended.Records = append(l.contended.Records, run.Record)
		return nil
	}
	if _, err := m.Measure(ctx, l.session, experiments); err != nil {
		return err
	}
	return l.out.writeLines("contention.jsonl", func(put func(any) error) error { return putAll(put, &l.contended) })
}

// putAll puts all cells and records.
func putAll(put func(any) error, lines *history.Lines) error {
	for i := range lines.Cells {
		if err := put(&lines.Cells[i]); err != nil {
			return err
		}
	}
	for i := range lines.Records {
		if err := put(&lines.Records[i]); err != nil {
			return err
		}
	}
	return nil
}
