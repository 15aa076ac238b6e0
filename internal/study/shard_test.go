package study

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// Shards are neighbouring parts of nearly one size that make up the whole.
func TestShardsPartitionTheGrid(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cells, n := rapid.IntRange(0, 1_000_000_000).Draw(t, "cells"), rapid.IntRange(1, 1000).Draw(t, "n")
		next := 0
		for i := range n {
			first, last := Shard{i, n}.Bounds(cells)
			if size := last - first; first != next || size < cells/n || size > cells/n+1 {
				t.Fatalf("shard %d of %d of %d cells is [%d, %d)", i, n, cells, first, last)
			}
			next = last
		}
		if next != cells {
			t.Fatalf("%d shards end at %d of %d cells", n, next, cells)
		}
	})
}

func TestShardOfAnArrayJob(t *testing.T) {
	for _, test := range []struct{ shard, environment, want string }{
		{"", "", ""}, {"0/1", "", "0/1"}, {"3/10", "JOB_COMPLETION_INDEX=7", "3/10"},
		{"auto/10", "JOB_COMPLETION_INDEX=7", "7/10"},
		{"auto", "JOB_COMPLETION_INDEX=7", "a Kubernetes job does not say how many parts there are; want auto/n"},
		{"auto", "AWS_BATCH_JOB_ARRAY_INDEX=2 AWS_BATCH_JOB_ARRAY_SIZE=5", "2/5"},
		{"auto/5", "AWS_BATCH_JOB_ARRAY_INDEX=2", "2/5"},
		{"auto", "AWS_BATCH_JOB_ARRAY_INDEX=2", `AWS_BATCH_JOB_ARRAY_SIZE is ""; want a whole number`},
		{"auto", "SLURM_ARRAY_TASK_ID=3 SLURM_ARRAY_TASK_MIN=1 SLURM_ARRAY_TASK_MAX=8 SLURM_ARRAY_TASK_COUNT=8", "2/8"},
		{"auto/8", "SLURM_ARRAY_TASK_ID=3 SLURM_ARRAY_TASK_MIN=3 SLURM_ARRAY_TASK_MAX=3 SLURM_ARRAY_TASK_COUNT=1", "3/8"}, // one task again
		{"auto", "SLURM_ARRAY_TASK_ID=3 SLURM_ARRAY_TASK_MIN=1 SLURM_ARRAY_TASK_MAX=7 SLURM_ARRAY_TASK_COUNT=4", "no unbroken range; want --array=0-N, or auto/n"},
		{"auto/8", "SLURM_ARRAY_TASK_ID=8", "Slurm says index 8 of 8 parts; want an index from 0 to n-1"},
		{"auto/8", "SLURM_ARRAY_TASK_ID=x", `SLURM_ARRAY_TASK_ID is "x"; want a whole number`},
		{"auto/8", "", "this is no task of an array job: none of JOB_COMPLETION_INDEX, SLURM_ARRAY_TASK_ID, AWS_BATCH_JOB_ARRAY_INDEX is set"},
		{"auto/8", "SLURM_ARRAY_TASK_ID=1 JOB_COMPLETION_INDEX=1", "both JOB_COMPLETION_INDEX and SLURM_ARRAY_TASK_ID are set; want i/n"},
		{"3/3", "", "want i/n with i from 0 to n-1"}, {"3", "", `shard "3": want i/n`}, {"-1/3", "", "want i/n"}, {"0/0", "", "0 parts; want from 1 to 1000000"},
		{"0/1000001", "", "1000001 parts; want from 1 to 1000000"}, {"auto/0", "JOB_COMPLETION_INDEX=0", "0 parts"},
	} {
		variables := make(map[string]string)
		for _, v := range strings.Fields(test.environment) {
			name, value, _ := strings.Cut(v, "=")
			variables[name] = value
		}
		s, err := ParseShard(test.shard, func(name string) string { return variables[name] })
		got := s.String()
		if err != nil {
			got = err.Error()
		}
		if got != test.want && (err == nil || !strings.Contains(got, test.want)) {
			t.Errorf("%s, %s: %s, want %s", test.shard, test.environment, got, test.want)
		}
	}
}
