package study

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// maxShards is the most parts of a sweep.
const maxShards = 1_000_000

// A Shard is the Index-th (from 0) of Count parts of a sweep: a run of neighbouring cells, so that the parts of a sweep joined
// end to end are the whole. The zero value is the whole.
type Shard struct{ Index, Count int }

// String is "i/n", or "" for the whole.
func (s Shard) String() string {
	if s.Count == 0 {
		return ""
	}
	return fmt.Sprintf("%d/%d", s.Index, s.Count)
}

// Bounds are the shard's cells [first, last) of all of them. Two shards differ by at most one cell.
func (s Shard) Bounds(cells int) (first, last int) {
	if s.Count == 0 {
		return 0, cells
	}
	return cells * s.Index / s.Count, cells * (s.Index + 1) / s.Count
}

var shardForm = regexp.MustCompile(`^(auto|[0-9]{1,7})(?:/([0-9]{1,7}))?$`)

// ParseShard reads which part of a sweep is meant: "i/n", "auto/n", where the environment says i, or "auto", where it says both;
// "" is the whole. getenv looks up a variable of the environment.
func ParseShard(text string, getenv func(string) string) (Shard, error) {
	if text == "" {
		return Shard{}, nil
	}
	parts := shardForm.FindStringSubmatch(text)
	if parts == nil || parts[1] != "auto" && parts[2] == "" {
		return Shard{}, fmt.Errorf("shard %q: want i/n (i from 0), or auto or auto/n, where the array job's environment says which", text)
	}
	count, _ := strconv.Atoi(parts[2])
	if parts[2] != "" && (count < 1 || count > maxShards) {
		return Shard{}, fmt.Errorf("shard %s: %d parts; want from 1 to %d", text, count, maxShards)
	}
	if parts[1] == "auto" {
		s, err := shardFromEnvironment(count, getenv)
		if err != nil {
			return Shard{}, fmt.Errorf("shard %s: %w", text, err)
		}
		return s, nil
	}
	index, _ := strconv.Atoi(parts[1])
	if index >= count {
		return Shard{}, fmt.Errorf("shard %s: want i/n with i from 0 to n-1", text)
	}
	return Shard{index, count}, nil
}

// An arraySystem is something that starts a job many times, each with an index in its environment.
type arraySystem struct {
	name  string
	index string                                        // the variable with the index
	shard func(index int, e environment) (Shard, error) // without a number of parts from the user
}

var arraySystems = []arraySystem{
	{"Kubernetes", "JOB_COMPLETION_INDEX", func(int, environment) (Shard, error) {
		return Shard{}, fmt.Errorf("a Kubernetes job does not say how many parts there are; want auto/n with n = its completions")
	}},
	{"Slurm", "SLURM_ARRAY_TASK_ID", slurmShard},
	{"AWS Batch", "AWS_BATCH_JOB_ARRAY_INDEX", func(index int, e environment) (Shard, error) {
		count, err := e.number("AWS_BATCH_JOB_ARRAY_SIZE")
		return Shard{index, count}, err
	}},
}

// slurmShard counts from the least index of the array. An array that was not given as one range says nothing about parts.
func slurmShard(index int, e environment) (Shard, error) {
	least, err := e.number("SLURM_ARRAY_TASK_MIN")
	if err != nil {
		return Shard{}, err
	}
	most, err := e.number("SLURM_ARRAY_TASK_MAX")
	if err != nil {
		return Shard{}, err
	}
	count, err := e.number("SLURM_ARRAY_TASK_COUNT")
	if err != nil {
		return Shard{}, err
	}
	if most-least+1 != count {
		return Shard{}, fmt.Errorf("the array has %d tasks with numbers from %d to %d, no unbroken range; want --array=0-N, or auto/n", count, least, most)
	}
	return Shard{index - least, count}, nil
}

// shardFromEnvironment is the shard of which an array job's environment says the index, and, if count is 0, the number of parts.
func shardFromEnvironment(count int, getenv environment) (Shard, error) {
	var found []arraySystem
	var variables []string
	for _, system := range arraySystems {
		variables = append(variables, system.index)
		if getenv(system.index) != "" {
			found = append(found, system)
		}
	}
	switch {
	case len(found) == 0:
		return Shard{}, fmt.Errorf("this is no task of an array job: none of %s is set; want i/n", strings.Join(variables, ", "))
	case len(found) > 1:
		return Shard{}, fmt.Errorf("both %s and %s are set; want i/n", found[0].index, found[1].index)
	}
	index, err := getenv.number(found[0].index)
	if err != nil {
		return Shard{}, err
	}
	s := Shard{index, count}
	if count == 0 {
		if s, err = found[0].shard(index, getenv); err != nil {
			return Shard{}, err
		}
	}
	if s.Count < 1 || s.Count > maxShards || s.Index < 0 || s.Index >= s.Count {
		return Shard{}, fmt.Errorf("%s says index %d of %d parts; want an index from 0 to n-1", found[0].name, s.Index, s.Count)
	}
	return s, nil
}

// environment looks up a variable.
type environment func(string) string

func (e environment) number(variable string) (int, error) {
	v, err := strconv.Atoi(e(variable))
	if err != nil || v < 0 {
		return 0, fmt.Errorf("%s is %q; want a whole number", variable, e(variable))
	}
	return v, nil
}
