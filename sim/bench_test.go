package sim_test

import (
	"testing"

	"locklab/scenarios"
	"locklab/sim"
)

// BenchmarkRun shows the time per run and per event of the built-in scenarios; a run must not allocate.
func BenchmarkRun(b *testing.B) {
	for _, name := range scenarios.Names() {
		b.Run(name, func(b *testing.B) {
			s, err := scenarios.Builtin(name)
			if err != nil {
				b.Fatal(err)
			}
			lab := scenarios.Lab()
			r := sim.NewWorld(s, &lab).NewRun()
			b.ReportAllocs()
			var events int64
			for i := uint64(0); b.Loop(); i++ {
				r.Do(i)
				events += r.Events
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(events), "ns/event")
		})
	}
}
