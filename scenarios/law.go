package scenarios

import (
	"slices"

	"locklab/internal/choice"
)

// longestDraw bounds the draws of a law, so that the clock of a run cannot overflow by one.
const longestDraw = 365 * 24 * hour

var (
	lawKeys        = []string{"uniform", "exponential", "lognormal", "empirical", "sequence"}
	profileLawKeys = append([]string{"empirical_ns", "sequence_ns"}, lawKeys...)
	lognormalKeys  = []string{"median", "p99"}
)

// law decodes a duration that may vary.
func (d *decoder) law(n *node) choice.Law {
	if d.skip(n) {
		return choice.Law{}
	}
	if n.kind != mappingNode {
		return choice.Const(d.duration(n))
	}
	keys := lawKeys
	if d.inProfile {
		keys = profileLawKeys
	}
	found := d.mapping(n, keys)
	key := d.oneOf(n, found, keys...)
	switch value := found[key]; key {
	case "uniform":
		return d.uniform(value)
	case "exponential":
		return choice.Law{Kind: choice.Exponential, A: d.duration(value)}
	case "lognormal":
		return d.lognormal(value)
	case "empirical":
		return choice.Law{Kind: choice.Empirical, Samples: slices.Sorted(slices.Values(d.samples(value)))}
	case "sequence":
		return choice.InSequence(d.samples(value))
	case "empirical_ns":
		return choice.Law{Kind: choice.Empirical, Samples: d.bareSamples(value, true)}
	case "sequence_ns":
		return choice.InSequence(d.bareSamples(value, false))
	}
	return choice.Law{}
}

func (d *decoder) uniform(n *node) choice.Law {
	bounds := d.list(n, 2, "durations")
	if d.skip(n) {
		return choice.Law{}
	}
	if len(bounds) > 2 {
		d.fail(n, "has length %d; want the least and the longest duration, e.g. [1ms, 3ms]", len(bounds))
		return choice.Law{}
	}
	law := choice.Law{Kind: choice.Uniform, A: d.duration(bounds[0]), B: d.duration(bounds[1])}
	if law.B < law.A {
		d.fail(n, "is from %s to %s; the second must not be below the first", bounds[0].text, bounds[1].text)
	}
	return law
}

func (d *decoder) lognormal(n *node) choice.Law {
	f := d.mapping(n, lognormalKeys)
	d.require(n, f, lognormalKeys...)
	law := choice.Law{Kind: choice.Lognormal, A: d.positive(f["median"]), B: d.duration(f["p99"])}
	switch {
	case d.skip(n):
		return choice.Law{}
	case law.B < law.A:
		d.fail(n, "has a p99 of %s, below its median of %s; want it at least as long", f["p99"].text, f["median"].text)
	case law.Max() > longestDraw:
		d.fail(n, "has so long a tail that its longest draw would be above a year; want a p99 of at most %s for a median of %s",
			formatDuration(longestP99(law.A)), f["median"].text)
	}
	return law
}

// longestP99 is the longest 99th percentile that a lognormal law with the given median may have, in whole milliseconds if it
// is that long.
func longestP99(median int64) int64 {
	low, high := median, int64(longestDuration)
	for low+1 < high {
		law := choice.Law{Kind: choice.Lognormal, A: median, B: (low + high) / 2}
		if law.Max() > longestDraw {
			high = law.B
		} else {
			low = law.B
		}
	}
	return low - low%min(low, millisecond)
}

// lawNode is a law as a node.
func lawNode(l choice.Law) *node {
	switch l.Kind {
	case choice.Uniform:
		return mapping().with("uniform", list(durationNode(l.A), durationNode(l.B)))
	case choice.Exponential:
		return mapping().with("exponential", durationNode(l.A))
	case choice.Lognormal:
		return mapping().with("lognormal", mapping().with("median", durationNode(l.A)).with("p99", durationNode(l.B)))
	case choice.Empirical:
		if len(l.Sequence) > 0 {
			return mapping().with("sequence", samplesNode(l.Sequence, durationNode))
		}
		return mapping().with("empirical", samplesNode(l.Samples, durationNode))
	}
	return durationNode(l.A)
}

// withLaw adds a law to a mapping, unless it is the default.
func (n *node) withLaw(key string, l choice.Law) *node {
	if l.IsZero() {
		return n
	}
	return n.with(key, lawNode(l))
}

// withDuration adds a duration to a mapping, unless it is 0.
func (n *node) withDuration(key string, ns int64) *node {
	if ns == 0 {
		return n
	}
	return n.with(key, durationNode(ns))
}
