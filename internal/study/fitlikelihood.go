package study

import (
	"math"

	"locklab/history"
)

// An outcome is what fit knows of a run, measured or simulated: its counts, all at once.
type outcome struct{ entries, conflicts, rejected int64 }

// notCounted stands for rejected writes of which nobody says how many there were.
const notCounted = -1

// A sample is how often each outcome came up in some runs, in the order in which they first came.
type sample struct {
	index    map[outcome]int
	outcomes []outcome
	n        []int64
	runs     int64
}

func (s *sample) add(o outcome) {
	if s.index == nil {
		s.index = make(map[outcome]int)
	}
	i, ok := s.index[o]
	if !ok {
		i = len(s.n)
		s.index[o] = i
		s.outcomes, s.n = append(s.outcomes, o), append(s.n, 0)
	}
	s.n[i]++
	s.runs++
}

// addRecord adds a run. The rejected writes are left out where the counts to explain do not tell them.
func (s *sample) addRecord(r *history.Record, withRejected bool) {
	o := outcome{r.Entries, r.Conflicts, notCounted}
	if withRejected {
		o.rejected = r.RejectedWrites
	}
	s.add(o)
}

// probability is how likely a run is to have exactly this outcome, as far as the simulated runs of s tell:
//
//	(n + √M near) / (M + √M)
//
// where n of the M runs had it, and near is how likely it is for one of the M with each count off by d with probability kernel(d).
// So it is never 0, is nearly n/M where outcomes come up often, and where none of the runs had the outcome it is the smaller the
// farther off they are and the more of them there are. √M is the weight with which shares of a sample are estimated best in the
// worst case (S. Fienberg and P. Holland, Journal of the American Statistical Association 68, 1973).
func (s *sample) probability(o outcome) float64 {
	var exact int64
	if i, ok := s.index[o]; ok {
		exact = s.n[i]
	}
	near := 0.0
	for i, seen := range s.outcomes {
		near += float64(float64(s.n[i]) * seen.kernel(o))
	}
	near /= float64(s.runs)
	weight := math.Sqrt(float64(s.runs))
	return (float64(exact) + float64(weight*near)) / (float64(s.runs) + weight)
}

// kernel is the product of the kernels of all counts.
func (o outcome) kernel(p outcome) float64 {
	k := kernel(o.entries-p.entries) * kernel(o.conflicts-p.conflicts)
	if o.rejected != notCounted {
		k = float64(k * kernel(o.rejected-p.rejected))
	}
	return k
}

// kernel is the probability that a count is off by d: c / (1 + |d|)², with c so that all d sum to 1. It falls off so slowly that
// no whole number of a run makes it 0.
func kernel(d int64) float64 {
	const c = 1 / (math.Pi*math.Pi/3 - 1)
	off := 1 + math.Abs(float64(d))
	return c / float64(off*off)
}

// A likelihood is how well the simulated runs of one scenario, with one set of parameters, explain what was counted.
type likelihood struct {
	log      float64 // the logarithm, to six digits after the point
	variance float64 // of log, as the runs are a sample themselves; infinite if something that was counted is not in it
	runs     int64
	means    [3]float64 // of entries, conflicts, rejected writes (or notCounted)
	explains bool       // all that was counted lies between the least and the most that a run had
}

// likelihoodOf takes what was counted and what was simulated, neither empty. Runs that were counted are independent: their
// probabilities multiply. The variance is that of a function of the multinomial shares of the simulated runs, by the delta method,
// which knows nothing of outcomes that no run had.
func likelihoodOf(counted, simulated *sample) likelihood {
	l := likelihood{runs: simulated.runs, explains: true}
	spread := 0.0
	low, high, means := simulated.extent()
	for i, o := range counted.outcomes {
		p, n := simulated.probability(o), float64(counted.n[i])
		l.log += float64(n * math.Log(p))
		spread += float64(n*n) / p
		if _, seen := simulated.index[o]; !seen {
			spread = math.Inf(1)
		}
		for k, v := range o.counts() {
			l.explains = l.explains && low[k] <= v && v <= high[k]
		}
	}
	all := float64(counted.runs)
	l.variance = max(0, spread-float64(all*all)) / float64(simulated.runs)
	l.log, l.means = round6(l.log), means
	return l
}

// counts are the outcome's, one by one.
func (o outcome) counts() [3]int64 { return [3]int64{o.entries, o.conflicts, o.rejected} }

// extent is the least and the most of each count, and the means.
func (s *sample) extent() (low, high [3]int64, means [3]float64) {
	var sums [3]int64
	for i, o := range s.outcomes {
		for k, v := range o.counts() {
			if i == 0 {
				low[k], high[k] = v, v
			}
			low[k], high[k] = min(low[k], v), max(high[k], v)
			sums[k] += v * s.n[i]
		}
	}
	for k := range sums {
		means[k] = float64(sums[k]) / float64(s.runs)
	}
	return low, high, means
}

// round6 takes away what differs between machines.
func round6(v float64) float64 { return math.Round(v*1e6) / 1e6 }
