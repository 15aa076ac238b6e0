package choice

import "math/bits"

// Dice draw from a flat law, constant or uniform, in a row: plain data that a loop keeps in registers. What they have
// drawn, Skip takes from the stream.
type Dice struct{ x, least, span uint64 }

// IsFlat reports whether the law is constant or uniform, so that Dice and Flat can draw from it.
func (l *Law) IsFlat() bool { return l.Kind <= Uniform }

// Flat is a flat law made ready to be drawn from in one way, whether it is constant or uniform.
type Flat struct {
	least, span uint64
	takes       uint64 // numbers of a stream for each draw: a constant law takes none
}

// Flat makes a flat law ready.
func (l *Law) Flat() Flat {
	if l.Kind == Constant {
		return Flat{least: uint64(l.A), span: 1}
	}
	return Flat{uint64(l.A), l.span(), 1}
}

// Draw does what the law's Draw does with a stream that no script decides.
func (f *Flat) Draw(s *Stream) int64 {
	s.n += f.takes
	hi, _ := bits.Mul64(s.At(s.n), f.span)
	return int64(f.least + hi)
}

// Pair draws twice.
func (l *Law) Pair(s *Stream) (a, b int64) {
	if l.IsFlat() && s.script == nil {
		f := l.Flat()
		a = f.Draw(s)
		return a, f.Draw(s)
	}
	a = l.Draw(s)
	return a, l.Draw(s)
}

// Dice are for the next draws of a flat law from a stream that no script decides. A constant law's always give A.
func (l *Law) Dice(s *Stream) Dice {
	f := l.Flat()
	return Dice{s.key + s.n*step, f.least, f.span}
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

// Together draws from both laws. If both are sequences of one length, the samples belong together: they are drawn from one
// place.
func Together(a, b *Law, s *Stream) (x, y int64) {
	if n := len(a.Sequence); n == 0 || n != len(b.Sequence) || s.script != nil {
		x = a.Draw(s)
		return x, b.Draw(s)
	}
	i := s.place(len(a.Sequence))
	return a.Sequence[i], b.Sequence[i]
}
