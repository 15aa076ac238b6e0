package choice

import (
	"math/bits"
	"slices"
)

// Kind says which distribution a Law is.
type Kind uint8

// The kinds of laws. Constant is the zero value.
const (
	Constant    Kind = iota // always A
	Uniform                 // every whole nanosecond of [A, B], equally likely
	Exponential             // mean A
	Empirical               // one of Samples, equally likely
	Lognormal               // median A, 99th percentile B; A > 0, B >= A
)

// A Law is the distribution of a duration in nanoseconds. The zero value is the constant 0.
// A law must not be changed while it is in use; its samples are shared between copies.
type Law struct {
	Kind    Kind
	A, B    int64
	Samples []int64 // Empirical only: not empty, ascending

	// Sequence, if not empty, is the same samples in the order in which they were met; see InSequence.
	Sequence []int64
}

// Row is how many samples of a sequence a stream draws in a row: as many tries as a worker of the lesson waits for at most.
const Row = 40

// InSequence is the empirical law of samples that depend on those before them. A stream draws them in rows of Row: each row
// begins anywhere, so that the distribution is that of all samples, and goes on as the samples did. The law keeps the slice.
func InSequence(samples []int64) Law {
	return Law{Kind: Empirical, Samples: slices.Sorted(slices.Values(samples)), Sequence: samples}
}

// Const is the law of a duration that never varies.
func Const(d int64) Law { return Law{A: d} }

// IsZero reports whether the law can only give 0.
func (l *Law) IsZero() bool { return l.Kind == Constant && l.A == 0 }

// Draw takes one number from the stream and gives the duration that belongs to it. A constant law takes none.
func (l *Law) Draw(s *Stream) int64 {
	if l.Kind == Constant {
		return l.A
	}
	return l.draw(s)
}

// draw is Draw for a law that varies.
func (l *Law) draw(s *Stream) int64 {
	switch {
	case s.script != nil:
		return l.scripted(s)
	case l.Kind == Uniform:
		return l.uniform(s.Next())
	case len(l.Sequence) > 0:
		return l.Sequence[s.place(len(l.Sequence))]
	}
	return l.Quantile(s.Next())
}

func (l *Law) uniform(u uint64) int64 {
	hi, _ := bits.Mul64(u, l.span())
	return l.A + int64(hi)
}

// span is the number of values of a uniform law.
func (l *Law) span() uint64 { return uint64(l.B-l.A) + 1 }

// place is the index of the next of n samples in the row that the stream is in.
func (s *Stream) place(n int) uint64 {
	i := s.n
	s.n++
	first, _ := bits.Mul64(s.At(i/Row), uint64(n))
	return (first + i%Row) % uint64(n)
}

// Quantile is the duration below which the share u/2^64 of all draws lies; it never falls when u grows.
func (l *Law) Quantile(u uint64) int64 {
	switch l.Kind {
	case Uniform:
		return l.uniform(u)
	case Exponential:
		return int64(float64(float64(l.A)*negativeLog(^u)) + 0.5)
	case Empirical:
		hi, _ := bits.Mul64(u, uint64(len(l.Samples)))
		return l.Samples[hi]
	case Lognormal:
		return l.lognormal(u)
	default:
		return l.A
	}
}

// Min is the law's smallest possible duration.
func (l *Law) Min() int64 {
	switch l.Kind {
	case Exponential:
		return 0
	case Empirical:
		return l.Samples[0]
	case Lognormal:
		return l.Quantile(0)
	default:
		return l.A
	}
}

// Max is the law's largest duration: its bound, or the largest that a draw can give: of the exponential law about 45
// means, of the lognormal law median (p99/median)^3.95.
func (l *Law) Max() int64 { return l.Quantile(^uint64(0)) }

// IsUnbounded reports whether the law has no longest draw that means anything.
func (l *Law) IsUnbounded() bool { return l.Kind == Exponential || l.Kind == Lognormal }

// Mean is the law's mean, rounded to a nanosecond.
func (l *Law) Mean() int64 {
	switch l.Kind {
	case Uniform:
		return l.A + (l.B-l.A)/2
	case Empirical:
		var sum int64
		for _, v := range l.Samples {
			sum += v
		}
		return sum / int64(len(l.Samples))
	case Lognormal:
		return l.lognormalMean()
	default:
		return l.A
	}
}

// Scaled is the law of the duration times f, each bound and sample rounded to a nanosecond.
func (l *Law) Scaled(f float64) Law {
	scaled := Law{Kind: l.Kind, A: scale(l.A, f), B: scale(l.B, f)}
	for _, v := range l.Samples {
		scaled.Samples = append(scaled.Samples, scale(v, f))
	}
	for _, v := range l.Sequence {
		scaled.Sequence = append(scaled.Sequence, scale(v, f))
	}
	return scaled
}

func scale(d int64, f float64) int64 { return int64(float64(float64(d)*f) + 0.5) }
