package explore

import (
	"context"
	"fmt"
	"testing"
	"time"

	"locklab/scenarios"
)

func TestTry(t *testing.T) {
	for _, c := range []struct {
		name string
		set  []string
	}{
		{"lesson/a", nil}, {"lesson/b", nil}, {"lesson/c", nil}, {"lesson/d", nil}, {"lesson/e", nil},
		{"lesson/e", []string{"fencing.token=inside", "fencing.check=commit"}},
		{"lesson/e", []string{"fencing.token=inside", "fencing.check=start"}},
		{"lesson/e", []string{"fencing.token=before", "fencing.check=commit"}},
	} {
		s, _ := scenarios.Builtin(c.name)
		s, _, err := scenarios.SetAll(s, c.set)
		if err != nil {
			t.Fatal(err)
		}
		lab := scenarios.Lab()
		for _, rounds := range []int32{1, 2} {
			begin := time.Now()
			r, _ := Explore(context.Background(), s, &lab, Bounds{Rounds: rounds, Deviations: 2}, nil)
			took := time.Since(begin)
			fmt.Println(c.name, c.set, "rounds", rounds, "runs", r.Runs, r.ByLevel, "merged", r.Merged, r.Complete, took, float64(r.Runs)/took.Seconds(), "runs/s")
			for _, f := range r.Findings {
				fmt.Println("   ", f.Property, f.Counterexample != nil)
				if f.Counterexample != nil {
					for _, d := range f.Counterexample.Deviations {
						fmt.Println("       ", d.String())
					}
				}
			}
		}
	}
}
