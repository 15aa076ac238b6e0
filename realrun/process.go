package realrun

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
)

// workerEnv marks a process as a worker: the program executes itself with it.
const workerEnv = "LOCKLAB_WORKER"

// IsWorker reports whether this process was started to be a worker. A program that measures must ask before anything
// else, and call Work if so.
func IsWorker() bool { return os.Getenv(workerEnv) == "1" }

// Work is the life of a worker process: it takes its setup from standard input, drives one worker, reports on standard
// output, and gives the process's exit code.
func Work() int {
	out := json.NewEncoder(os.Stdout)
	end, err := live(json.NewDecoder(os.Stdin), out)
	last := report{End: end}
	if err != nil {
		last = report{Error: err.Error()}
	}
	if out.Encode(last) != nil || err != nil {
		return 1
	}
	return 0
}

func live(in *json.Decoder, out *json.Encoder) (*ending, error) {
	var s setup
	if err := in.Decode(&s); err != nil {
		return nil, fmt.Errorf("read the setup: %w", err)
	}
	ctx := context.Background()
	routes, err := openRoutes(ctx, &s)
	if err != nil {
		return nil, err
	}
	defer closeRoutes(routes)
	ear, err := openEar(ctx, &s)
	if err != nil {
		return nil, err
	}
	defer ear.close()
	d := newDriver(&s, routes, ear, in, out)
	if err := out.Encode(report{Ready: true}); err != nil {
		return nil, err
	}
	var begin start
	if err := in.Decode(&begin); err != nil {
		return nil, fmt.Errorf("wait for the start: %w", err)
	}
	d.epoch = begin.At
	for _, r := range routes {
		go d.serve(ctx, r)
	}
	if ear != nil {
		go d.listen(ctx)
	}
	if err := d.run(); err != nil {
		return nil, err
	}
	if err := out.Encode(report{Done: true}); err != nil {
		return nil, err
	}
	if err := in.Decode(&collect{}); err != nil {
		return nil, fmt.Errorf("wait to be asked: %w", err)
	}
	return d.ending(), nil
}
