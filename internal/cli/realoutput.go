package cli

import (
	"fmt"
	"io"
	"os"
	"time"

	"locklab/history"
	"locklab/internal/study"
)

// A realOutput is where the records of real runs go, and all of them so far. Each is written as a whole line at once: whoever ends
// the program finds whole lines, but for the last at the worst.
type realOutput struct {
	path    string          // "" for nowhere, "-" for standard output
	grid    *study.RealGrid // nil for single scenarios
	resumed bool
	stdout  io.Writer

	sink    *sink
	header  *history.Sweep
	state   *study.RealGridState // of a file that is resumed; else of nothing
	records []history.Record     // those that were in the file, too
}

// try makes sure, before the long work, that the output can be written, and that nothing is lost by it. For single scenarios it
// opens it; a grid's is opened when all that its first line says is known.
func (o *realOutput) try(stdout io.Writer) (err error) {
	o.stdout, o.state = stdout, &study.RealGridState{}
	switch {
	case o.grid == nil:
		o.sink, err = openSink(o.path, stdout)
	case !o.resumed && o.path != "" && o.path != "-":
		err = refuseToLose(o.path)
	}
	return err
}

// read reads what a grid's file has that is resumed, and takes that out of the measurement.
func (o *realOutput) read(m *study.Measurement, store history.Store) error {
	if o.grid == nil {
		return nil
	}
	o.header = o.grid.Header(m.Profile, store)
	if !o.resumed {
		return nil
	}
	file, err := os.Open(o.path)
	if os.IsNotExist(err) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("resume: %w", err)
	}
	defer file.Close()
	if !isRegular(o.path) {
		return fmt.Errorf("resume %s: %w", o.path, errNotRegular)
	}
	if o.state, err = study.ReadRealGrid(file, o.header); err != nil {
		return fmt.Errorf("resume %s: %w", o.path, err)
	}
	o.records = o.state.Records
	m.Skip = o.state.Has
	return nil
}

// begin opens a grid's file, at the end of its last whole line if it is resumed, and writes its first line if that is not
// there.
func (o *realOutput) begin() (err error) {
	switch {
	case o.grid == nil:
		return nil
	case o.state.Size > 0:
		return o.goOn()
	}
	if o.sink, err = openSink(o.path, o.stdout); err != nil {
		return err
	}
	return o.write(o.header)
}

func (o *realOutput) goOn() error {
	file, err := os.OpenFile(o.path, os.O_WRONLY, 0)
	if err == nil {
		err = file.Truncate(o.state.Size)
	}
	if err == nil {
		_, err = file.Seek(o.state.Size, io.SeekStart)
	}
	if err != nil {
		return fmt.Errorf("resume: %w", err)
	}
	o.sink = newSink(file)
	return nil
}

// keep writes a record at once: it is not lost if a later run fails.
func (o *realOutput) keep(r *history.Record) error {
	o.records = append(o.records, *r)
	return o.write(r)
}

func (o *realOutput) write(line any) error {
	if err := history.WriteLine(o.sink, line); err != nil {
		return err
	}
	return o.sink.Flush()
}

func (o *realOutput) close() error { return o.sink.close() }

// howToGoOn adds to an error that has ended the measurement how many of the wanted runs there are, and how to go on.
func (o *realOutput) howToGoOn(wanted int, err error) error {
	err = fmt.Errorf("measured %d of %d runs: %w", len(undisturbed(o.records)), wanted, err)
	if o.grid == nil || o.path == "" || o.path == "-" {
		return err
	}
	return fmt.Errorf("%w; they are in %s: the same command with --resume goes on", err, o.path)
}

// sumUp says how a grid's measurement went, and of any how often runs were disturbed.
func (o *realOutput) sumUp(w io.Writer, took time.Duration) {
	before := len(o.state.Records)
	disturbed := len(o.records) - len(undisturbed(o.records))
	if o.grid == nil {
		if disturbed > 0 {
			fmt.Fprintf(w, "%s disturbed: %s\n", number(int64(disturbed), "run"), lastDisturbance(o.records))
		}
		return
	}
	there := ""
	if before > 0 {
		there = fmt.Sprintf(" (%d were there already)", before)
	}
	fmt.Fprintf(w, "%s: %s%s in %.1f s, of which %d disturbed", o.header.Scenario, number(int64(len(o.records)), "run"), there, took.Seconds(), disturbed)
	if disturbed > 0 {
		fmt.Fprintf(w, " (the last: %s)", lastDisturbance(o.records))
	}
	fmt.Fprintln(w)
}

func lastDisturbance(records []history.Record) (why string) {
	for i := range records {
		if records[i].Disturbed {
			why = records[i].Disturbance
		}
	}
	return why
}
