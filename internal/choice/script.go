package choice

import "math"

// Point says what a choice is about.
type Point uint8

// The points of choice. Fixed, the zero value, is none: its laws give their medians.
const (
	Fixed   Point = iota
	Latency       // of one way of a command, or of a round trip: median, short, long
	Retry         // the sleep before the next try: median, early, late
	Pausing       // a pause here: no, yes
	Crash         // a crash here: no, yes
	Order         // which of the commands that arrive at one instant comes first: by actor
)

// A Script answers the choices of a run: quietly, but for those it was told otherwise. It also notes what it was
// asked, so that the other options can be tried. It is used for one step of a run at a time; see Begin.
type Script struct {
	forced []uint8 // the options to take, by position; beyond them, the first
	asked  []Asked
	wrong  bool // one of forced was none of the options
}

// Asked is a choice that came up.
type Asked struct {
	Point   Point
	Detail  int   // which one of its kind; meant for whoever asked
	Options uint8 // how many there were
	Taken   uint8
}

// Begin makes the script ready for a step in which the choices, in the order in which they come up, take the given
// options, and all further ones the first. The script keeps forced until the next Begin.
func (s *Script) Begin(forced []uint8) {
	s.forced = forced
	s.asked = s.asked[:0]
	s.wrong = false
}

// Misfit reports whether, since Begin, it turned out that the script is not one of this run: it forces an option that a
// choice does not have, or more choices than came up.
func (s *Script) Misfit() bool { return s.wrong || len(s.asked) < len(s.forced) }

// Asked are the choices that have come up since Begin. It is valid until the next.
func (s *Script) Asked() []Asked { return s.asked }

// Choose takes one of n options. Of more than 255, only so many can be taken.
func (s *Script) Choose(p Point, detail, n int) int {
	var taken uint8
	options := uint8(min(n, math.MaxUint8))
	if i := len(s.asked); i < len(s.forced) {
		taken = s.forced[i]
	}
	if taken >= options {
		taken, s.wrong = 0, true
	}
	s.asked = append(s.asked, Asked{p, detail, options, taken})
	return int(taken)
}

// The options of a law.
const (
	median = iota
	short
	long
)

// scripted gives the law's median; or short and long, if the stream is a point of choice: the law's bounds, or its 1st
// and 99th percentile where it has none that matter.
func (l *Law) scripted(s *Stream) int64 {
	option := median
	if s.point != Fixed {
		option = s.script.Choose(s.point, 0, 3)
	}
	const percent = ^uint64(0) / 100
	low, high := percent, 99*percent
	if l.Kind == Uniform {
		low, high = 0, ^uint64(0)
	}
	return l.Quantile([...]uint64{median: 1 << 63, short: low, long: high}[option])
}
