package choice

import "math/bits"

// Dice draw from a flat law, constant or uniform, in a row: plain data that a loop keeps in registers. What they have
// drawn, Skip takes from the stream.
type Dice struct{ x, least, span uint64 }

// IsFlat reports whether there are dice for the law.
func (l *Law) IsFlat() bool { return l.Kind <= Uniform }

// Dice are for the next draws of a flat law from a stream that no script decides. A constant law's always give A.
func (l *Law) Dice(s *Stream) Dice {
	span := uint64(1)
	if l.Kind == Uniform {
		span = l.span()
	}
	return Dice{s.key + s.n*step, uint64(l.A), span}
}

// Roll gives the next draw, and the dice for those after it.
func (d Dice) Roll() (Dice, int64) {
	d.x += step
	hi, _ := bits.Mul64(scramble(d.x), d.span)
	return d, int64(d.least + hi)
}

// Skip takes n draws of the law from the stream.
func (l *Law) Skip(s *Stream, n int64) {
	if l.Kind != Constant {
		s.n += uint64(n)
	}
}
