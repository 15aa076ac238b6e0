package scenarios

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"locklab/internal/choice"
)

// maxSamples is the most samples of all laws of a scenario or profile together. So many fit into a file; see maxBytes.
const maxSamples = 100_000

// count takes note of samples that a node has, and reports whether they are not too many.
func (d *decoder) count(n *node, samples int) bool {
	d.sampled += samples
	if d.sampled > maxSamples {
		d.fail(n, "brings the samples of all laws to more than %d; keep fewer of them", maxSamples)
	}
	return d.problem == nil
}

// samples decodes a list of durations, or the name of a file that has one in each line.
func (d *decoder) samples(n *node) []int64 {
	const want = "want a list of durations, e.g. [1ms, 2ms], or the name of a file with one in each line"
	switch {
	case d.skip(n):
		return nil
	case n.kind == textNode:
		return d.sampleFile(n, want)
	case n.kind != listNode:
		d.fail(n, "is %s; %s", n.show(), want)
		return nil
	}
	return d.listed(n, "durations", func(item *node, _ int64) int64 { return d.duration(item) })
}

// bareSamples decodes a list of whole nanoseconds, which may have to ascend.
func (d *decoder) bareSamples(n *node, ascending bool) []int64 {
	return d.listed(n, "whole nanoseconds", func(item *node, before int64) int64 {
		v := d.whole(item, 0, longestDuration)
		if ascending && v < before {
			d.fail(item, "is %d, below the sample before it; sort the samples, smallest first", v)
		}
		return v
	})
}

// listed decodes a list of samples, each with the one before it at hand.
func (d *decoder) listed(n *node, of string, decode func(item *node, before int64) int64) []int64 {
	items := d.list(n, 1, of)
	if !d.count(n, len(items)) {
		return nil
	}
	samples := make([]int64, 0, len(items))
	var v int64
	for _, item := range items {
		v = decode(item, v)
		samples = append(samples, v)
	}
	return samples
}

func (d *decoder) sampleFile(n *node, want string) []int64 {
	name := d.text(n)
	if d.skip(n) {
		return nil
	}
	if d.files == nil {
		d.fail(n, "names a file, which only a scenario or profile in a file of its own may do, and --set; want a list of durations, e.g. [1ms, 2ms]")
		return nil
	}
	data, err := d.files(name)
	if err != nil {
		d.fail(n, "cannot be read: %v; %s", err, want)
		return nil
	}
	return d.lines(n, name, string(data))
}

// lines decodes a file of samples: a duration in each line, in which a comment may follow #.
func (d *decoder) lines(n *node, name, data string) []int64 {
	var samples []int64
	number := 0
	for line := range strings.Lines(data) {
		number++
		value, _, _ := strings.Cut(line, "#")
		if value = strings.TrimSpace(value); value == "" {
			continue
		}
		v, wrong := parseDuration(text(value))
		if wrong != "" {
			d.fail(n, "has a file with a mistake: line %d of %s %s", number, name, wrong)
		}
		if !d.count(n, 1) {
			return nil
		}
		samples = append(samples, v)
	}
	if len(samples) == 0 {
		d.fail(n, "has a file without a duration, %s; want one in each line", name)
	}
	return samples
}

// filesIn reads the files that a document in a directory names. They may be read again for the same document, so what can be
// read only once, like a pipe, is refused.
func filesIn(dir string) func(name string) ([]byte, error) {
	return func(name string) ([]byte, error) {
		path := filepath.FromSlash(name)
		if !filepath.IsAbs(path) {
			path = filepath.Join(dir, path)
		}
		if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
			return nil, fmt.Errorf("%s is no regular file", path)
		}
		data, err := readFile(path)
		if err == nil && len(data) > maxBytes {
			return nil, fmt.Errorf("%s is longer than %s", path, maxBytesText)
		}
		return data, err
	}
}

// profileLawNode is a law as a node of a profile, which has samples as numbers of nanoseconds.
func profileLawNode(l choice.Law) *node {
	switch {
	case len(l.Sequence) > 0:
		return mapping().with("sequence_ns", samplesNode(l.Sequence, wholeNode))
	case l.Kind == choice.Empirical:
		return mapping().with("empirical_ns", samplesNode(l.Samples, wholeNode))
	}
	return lawNode(l)
}

// withProfileLaw adds a law of a profile to a mapping, unless it is the default.
func (n *node) withProfileLaw(key string, l choice.Law) *node {
	if l.IsZero() {
		return n
	}
	return n.with(key, profileLawNode(l))
}

func samplesNode(samples []int64, write func(int64) *node) *node {
	n := list()
	n.items = slices.Grow(n.items, len(samples))
	for _, v := range samples {
		n.items = append(n.items, write(v))
	}
	return n
}
