package sim

import "math/bits"

// An order knows which of the actors comes first, the lowest of those at one time: a tournament of their times, in
// which the new time of one is played against as many others as the number of actors has binary digits.
type order struct {
	leaves int     // a power of two, at least the number of actors
	at     []int64 // by actor
	first  []int32 // by match: of match i, those of matches 2i and 2i+1 are the players; the last is between leaves
}

func newOrder(actors int) order {
	leaves := 1 << bits.Len(uint(max(actors, 2)-1))
	o := order{leaves: leaves, at: make([]int64, leaves), first: make([]int32, 2*leaves)}
	for i := range leaves {
		o.first[leaves+i] = int32(i)
	}
	for i := range leaves {
		o.put(i, never)
	}
	return o
}

// put says when an actor's turn is.
func (o *order) put(actor int, at int64) {
	times, first := o.at, o.first
	times[actor] = at
	for i := uint(o.leaves+actor) >> 1; i > 0; i >>= 1 {
		players := first[2*i : 2*i+2]
		a, b := players[0], players[1]
		if times[b] < times[a] {
			a = b
		}
		first[i] = a
	}
}

// rival is when the first turn is of all others.
func (o *order) rival(actor int) int64 {
	at := int64(never)
	for i := o.leaves + actor; i > 1; i >>= 1 {
		at = min(at, o.at[o.first[i^1]])
	}
	return at
}

// next is the actor whose turn is first, and when.
func (o *order) next() (actor int, at int64) {
	actor = int(o.first[1])
	return actor, o.at[actor]
}
