package scenarios

import (
	"strconv"

	"locklab/internal/choice"
)

// maxSamples is the most samples of an empirical law.
const maxSamples = 5000

var (
	lawKeys         = names{now: []string{"uniform", "exponential"}, later: []string{"lognormal", "empirical"}}
	measuredLawKeys = names{now: append([]string{"empirical_ns", "sequence_ns"}, lawKeys.now...), later: lawKeys.later}
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
	if d.empirical {
		keys = measuredLawKeys
	}
	found := d.mapping(n, keys)
	switch d.oneOf(n, found, keys.now...) {
	case "uniform":
		return d.uniform(found["uniform"])
	case "exponential":
		return choice.Law{Kind: choice.Exponential, A: d.duration(found["exponential"])}
	case "empirical_ns":
		return choice.Law{Kind: choice.Empirical, Samples: d.samples(found["empirical_ns"], true)}
	case "sequence_ns":
		return choice.InSequence(d.samples(found["sequence_ns"], false))
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

// samples decodes samples, which may have to ascend.
func (d *decoder) samples(n *node, ascending bool) []int64 {
	items := d.list(n, 1, "whole nanoseconds")
	if len(items) > maxSamples {
		d.fail(n, "has %d samples; want at most %d", len(items), maxSamples)
		return nil
	}
	var samples []int64
	for i, item := range items {
		v := d.whole(item, 0, longestDuration)
		if ascending && i > 0 && v < samples[i-1] {
			d.fail(item, "is %d, below the sample before it; sort the samples, smallest first", v)
		}
		samples = append(samples, v)
	}
	return samples
}

// lawNode is a law as a node.
func lawNode(l choice.Law) *node {
	switch l.Kind {
	case choice.Uniform:
		return mapping().with("uniform", list(durationNode(l.A), durationNode(l.B)))
	case choice.Exponential:
		return mapping().with("exponential", durationNode(l.A))
	case choice.Empirical:
		if len(l.Sequence) > 0 {
			return mapping().with("sequence_ns", samplesNode(l.Sequence))
		}
		return mapping().with("empirical_ns", samplesNode(l.Samples))
	}
	return durationNode(l.A)
}

func samplesNode(samples []int64) *node {
	n := list()
	for _, v := range samples {
		n.items = append(n.items, plain(strconv.FormatInt(v, 10)))
	}
	return n
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
