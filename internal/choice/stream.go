// Package choice says where a draw comes from: named, counter-based streams of random numbers, or a script; and
// the laws (distributions) that turn a number into a duration.
//
// A stream belongs to one purpose of one actor of one run, so that one more draw in one place shifts
// nothing elsewhere. Nothing here keeps global state, and no result depends on the platform: see
// negativeLog for how floating point is kept in bounds.
package choice

import (
	"math/bits"
	"strconv"
)

// Name identifies a stream within a run. It is the hash of a readable name; see NameOf.
type Name uint64

// NameOf is the name of the stream for one purpose of one numbered actor, e.g. NameOf("worker", 0, "retry")
// for "worker 0/retry". It allocates; compute names once, outside the loop over runs.
func NameOf(actor string, index int, purpose string) Name {
	const offset, prime = 14695981039346656037, 1099511628211 // FNV-1a, 64 bits
	h := uint64(offset)
	for _, b := range []byte(actor + " " + strconv.Itoa(index) + "/" + purpose) {
		h = (h ^ uint64(b)) * prime
	}
	return Name(h)
}

// RunSeed is the seed of run i of a batch that was asked for with the given seed.
func RunSeed(seed, i uint64) uint64 {
	return mix(mix(seed) + i*golden)
}

// A Source is where the choices of one run come from: a seed, or a script. The zero value is the seed 0.
type Source struct {
	seed   uint64
	script *Script
}

// Seeded is the random source with the given seed.
func Seeded(seed uint64) Source { return Source{seed: seed} }

// Scripted is a source in which every law gives its median, and every choice its first option, unless the script
// says otherwise. The streams of a copied run share the script.
func Scripted(s *Script) Source { return Source{script: s} }

// IsScripted reports whether a script decides.
func (s Source) IsScripted() bool { return s.script != nil }

// Stream is the source's stream with the given name. p says what a script may decide of it.
func (s Source) Stream(n Name, p Point) Stream {
	return Stream{key: mix(s.seed ^ mix(uint64(n))), script: s.script, point: p}
}

// Choose asks for one of n options, the first of which is the quiet one. Only a script chooses another. detail tells
// choices at one point apart.
func (s Source) Choose(p Point, detail, n int) int {
	if s.script == nil {
		return 0
	}
	return s.script.Choose(p, detail, n)
}

// A Stream is a sequence of 64-bit numbers, uniform and independent of every stream with another seed or
// name. It is plain data: a copy continues on its own from where it was taken. The zero value is valid but
// the same in every run.
type Stream struct {
	key, n uint64
	script *Script
	point  Point
}

// Next is the stream's next number.
func (s *Stream) Next() uint64 {
	s.n++
	return s.At(s.n)
}

// At is the stream's i-th number. It does not move the stream, so a choice that belongs to a round can be
// drawn by the round's number, whether or not earlier rounds drew theirs.
func (s *Stream) At(i uint64) uint64 { return scramble(s.key + i*step) }

// step and scramble are the counter and the output function of wyrand (Wang Yi).
const step = 0xa0761d6478bd642f

func scramble(x uint64) uint64 {
	hi, lo := bits.Mul64(x, x^0xe7037ed1a0b428db)
	return hi ^ lo
}

const golden = 0x9e3779b97f4a7c15

// mix is the finalizer of splitmix64 (Steele, Lea and Flood, OOPSLA 2014): a bijection whose output bits
// each depend on all input bits.
func mix(x uint64) uint64 {
	x += golden
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
