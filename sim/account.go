package sim

import (
	"locklab/worker"
	"locklab/worker/wire"
)

// Account takes note of what the resource is, for the tally of a run that is over. Do does so itself.
func (r *Run) Account() {
	plan := r.world.program.Plan()
	switch p := &plan.Resource; p.Kind {
	case worker.Balance:
		r.Tally.Missing = p.Expected(len(r.actors), r.Tally.Updates) - r.balance()
	case worker.Job:
		r.Tally.NotDone = r.notDone(plan.Rounds)
	}
}

// balance is that of the account, or the sum of all.
func (r *Run) balance() int64 {
	if r.world.begin.Accounts == 0 {
		return r.store.Number(r.Tally.End, wire.KeyBalance)
	}
	var sum int64
	for i := range r.world.begin.Accounts {
		sum += r.store.Number(r.Tally.End, wire.Numbered(2*i))
	}
	return sum
}

// notDone is how many of the jobs, one for each round, were never performed.
func (r *Run) notDone(jobs int32) int64 {
	var n int64
	for i := range jobs {
		if r.store.Number(r.Tally.End, wire.Numbered(2*i)) == 0 {
			n++
		}
	}
	return n
}
