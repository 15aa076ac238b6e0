package sim

import "math/bits"

// An order knows which of the actors comes first, the lowest of those at one time: a tournament of their times, in
// which the new time of one is played against as many others as the number of actors has binary digits. It also knows
// when the first of them comes that does not just try to acquire.
type order struct {
	leaves int     // a power of two, at least the number of actors
	at     []int64 // by actor
	first  []int32 // by match: of match i, those of matches 2i and 2i+1 are the players; the last is between leaves
	firm   []int64 // by match, and after them by actor: the first time of those in it that do not just try
}

func newOrder(actors int) order {
	leaves := 1 << bits.Len(uint(max(actors, 2)-1))
	o := order{leaves: leaves, at: make([]int64, leaves), first: make([]int32, 2*leaves), firm: make([]int64, 2*leaves)}
	for i := range leaves {
		o.first[leaves+i] = int32(i)
	}
	for i := range leaves {
		o.put(i, never, never)
	}
	return o
}

// put says when an actor's turn is, and when it would be if tries were none.
func (o *order) put(actor int, at, firm int64) {
	times, first, firms := o.at, o.first, o.firm
	times[actor], firms[o.leaves+actor] = at, firm
	for i := uint(o.leaves+actor) >> 1; i > 0; i >>= 1 {
		players := first[2*i : 2*i+2]
		a, b := players[0], players[1]
		if times[b] < times[a] {
			a = b
		}
		first[i] = a
		below := firms[2*i : 2*i+2]
		firms[i] = min(below[0], below[1])
	}
}

// next is the actor whose turn is first, and when.
func (o *order) next() (actor int, at int64) {
	actor = int(o.first[1])
	return actor, o.at[actor]
}

// rival is when the first turn is of all others.
func (o *order) rival(actor int) int64 {
	at := int64(never)
	for i := o.leaves + actor; i > 1; i >>= 1 {
		at = min(at, o.at[o.first[i^1]])
	}
	return at
}

// firmRival is when the first turn is of all others that do not just try.
func (o *order) firmRival(actor int) int64 {
	at := int64(never)
	for i := o.leaves + actor; i > 1; i >>= 1 {
		at = min(at, o.firm[i^1])
	}
	return at
}

// copyFrom makes the order equal to another one of as many actors.
func (o *order) copyFrom(from *order) {
	copy(o.at, from.at)
	copy(o.first, from.first)
	copy(o.firm, from.firm)
}
