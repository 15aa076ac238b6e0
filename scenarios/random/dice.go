package random

import (
	"math/bits"

	"locklab/internal/choice"
)

const ms = 1_000_000

// dice are the draws of one scenario. They use whole numbers only, so that every machine draws the same.
type dice struct {
	stream   choice.Stream
	constant bool // laws are constants: what varies is the machine
}

// between is a whole number from low to high, both included, each as likely.
func (d *dice) between(low, high int64) int64 {
	hi, _ := bits.Mul64(d.stream.Next(), uint64(high-low)+1)
	return low + int64(hi)
}

// chance is true in so many of 100 cases.
func (d *dice) chance(percent int64) bool { return d.between(1, 100) <= percent }

// oneOf is one of the values, each as likely.
func oneOf[T any](d *dice, values ...T) T { return values[d.between(0, int64(len(values)-1))] }

// length is a duration from low to high, in ns, above 0: as likely below twice as above twice as low, four times as low, and
// so on. It is in whole milliseconds from 10 ms on, below in whole tenths.
func (d *dice) length(low, high int64) int64 {
	octaves := int64(1)
	for low<<octaves < high {
		octaves++
	}
	low <<= d.between(0, octaves-1)
	drawn := d.between(low, min(2*low, high))
	if drawn >= 10*ms {
		return drawn / ms * ms
	}
	return max(drawn/(ms/10), 1) * (ms / 10)
}

// share is so many percent of a duration, from low to high, in whole tenths of a millisecond, at least one.
func (d *dice) share(of, low, high int64) int64 {
	return max(of/100*d.between(low, high)/(ms/10), 1) * (ms / 10)
}

// law is a law about a duration of that size: half of them are constant, or all of the scenario's are.
func (d *dice) law(size int64) choice.Law {
	if d.constant {
		return choice.Const(size)
	}
	switch d.between(0, 9) {
	case 0, 1:
		return choice.Law{Kind: choice.Uniform, A: d.share(size, 30, 100), B: d.share(size, 100, 170)}
	case 2:
		return choice.Law{Kind: choice.Exponential, A: size}
	case 3:
		return choice.Law{Kind: choice.Lognormal, A: size, B: d.share(size, 120, 400)}
	case 4:
		return d.samples(size)
	}
	return choice.Const(size)
}

// samples is a law of a few samples, in sequence or not.
func (d *dice) samples(size int64) choice.Law {
	var samples []int64
	for range d.between(3, 6) {
		samples = append(samples, d.share(size, 40, 180))
	}
	law := choice.InSequence(samples)
	if d.chance(50) {
		law.Sequence = nil
	}
	return law
}
