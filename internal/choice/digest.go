package choice

// A Digest sums up a state in 64 bits, value by value. Equal states have equal digests; that two different ones have is
// as unlikely as for random numbers. The zero value is the digest of nothing.
type Digest uint64

// Add takes a value into the digest.
func (d *Digest) Add(x int64) { *d = Digest(mix(uint64(*d) ^ uint64(x)*golden)) }

// Digest takes what decides the stream's further numbers into the digest.
func (s *Stream) Digest(d *Digest) { d.Add(int64(s.n)) }
