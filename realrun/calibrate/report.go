package calibrate

import (
	"fmt"
	"slices"
	"time"

	"locklab/realrun"
	"locklab/scenarios"
	"locklab/worker/wire"
)

// A Report is what a thorough calibration found.
type Report struct {
	Profile *scenarios.Profile
	Runs    int     // side by side, for which the profile holds
	Others  float64 // the share of the processors that other programs used before it began
	Delays  []Delay
	Loads   []Load // ascending, from the lightest to the first that is too heavy, or the last that was tried
	Cost    Cost
}

// A Delay is one kind of delay, of a pair of runs that had the machine for itself and under load.
type Delay struct {
	Name        string
	Alone, Load Tail
}

// Shares are those below which a Tail tells how long a delay is.
var Shares = [...]float64{0.5, 0.9, 0.99, 0.999, 0.9999}

// A Tail tells how long delays are, in ns.
type Tail struct {
	Samples   int
	Quantiles [len(Shares)]int64 // by Shares; Unknown if there are too few samples: less than one is expected above
	Most      int64
	InARow    float64 // the variance of sums of 12 delays in a row, over that of sums of 12 independent ones; 0 if not known
}

// Unknown is a quantile that cannot be told.
const Unknown = -1

// rowLength is how many delays a sum has whose variance is compared.
const rowLength = 12

func tailOf(samples []int64) Tail {
	sorted := slices.Sorted(slices.Values(samples))
	t := Tail{Samples: len(samples), InARow: inARow(samples)}
	for i, p := range Shares {
		q, known := quantile(sorted, p)
		if !known {
			q = Unknown
		}
		t.Quantiles[i] = q
	}
	if len(sorted) > 0 {
		t.Most = sorted[len(sorted)-1]
	}
	return t
}

// inARow is the ratio of variances of a Tail. It needs at least 20 sums.
func inARow(samples []int64) float64 {
	const fewest = 20
	var sums []float64
	var all []float64
	for row := range slices.Chunk(samples, rowLength) {
		sum := 0.0
		for _, v := range row {
			sum += float64(v)
			all = append(all, float64(v))
		}
		if len(row) == rowLength {
			sums = append(sums, sum)
		}
	}
	if len(sums) < fewest || variance(all) == 0 {
		return 0
	}
	return variance(sums) / (rowLength * variance(all))
}

func variance(list []float64) float64 {
	mean, sum := 0.0, 0.0
	for _, v := range list {
		mean += v / float64(len(list))
	}
	for _, v := range list {
		sum += (v - mean) * (v - mean)
	}
	return sum / float64(len(list)-1)
}

// delays compares what was measured of a pair of runs alone and under load.
func delays(alone, load *realrun.Samples) []Delay {
	names, a := kinds(alone)
	_, l := kinds(load)
	list := make([]Delay, len(names))
	for i, name := range names {
		list[i] = Delay{name, tailOf(a[i]), tailOf(l[i])}
	}
	return list
}

// kinds sorts samples by the kind of delay.
func kinds(s *realrun.Samples) (names []string, samples [][]int64) {
	add := func(name string, list []int64) {
		names, samples = append(names, name), append(samples, list)
	}
	for i, late := range lateness(s.Timers) {
		add(fmt.Sprintf("lateness of a sleep of %v", time.Duration(Sleeps[i])), late)
	}
	c := commands{samples: s.Commands}
	for i, sleep := range Sleeps {
		add(fmt.Sprintf("round trip after a sleep of %v", time.Duration(sleep)), c.those(situation{realrun.AfterSleep, i}, plain, wholeTrip))
	}
	for _, op := range slices.Concat(plain[1:], other[1:]) {
		add("round trip after a reply, "+scenarios.CommandName(op), c.those(situation{after: realrun.AfterReply}, []wire.Op{op}, wholeTrip))
	}
	add("round trip after a stop", c.those(situation{after: realrun.AfterStop}, plain, wholeTrip))
	add("lateness of the start", s.Start)
	add("delay of a stop", s.Stop)
	add("delay of a continue", s.Continue)
	return names, samples
}
