package compare

import (
	"cmp"
	"encoding/json"
	"slices"

	"locklab/history"
)

// An experiment is a scenario as it was run: the hash of what is written, and what was changed from it.
type experiment struct{ hash, params string }

// A pool is where runs can be counted together: one world, one profile.
type pool struct {
	world       history.World
	profileHash string
}

// An identity tells the lines apart. Two with the same identity are one line, read twice.
type identity struct {
	experiment
	pool
	scenario, profile string
	seed              uint64
	run               int    // of a record
	content           string // a record's history hash; a cell's JSON
}

// A line is a record or a cell.
type line struct {
	identity
	source *history.Source
	record *history.Record
	cell   *history.Cell
}

func newLine(src *history.Source) line {
	return line{source: src, identity: identity{
		experiment: experiment{src.ScenarioHash, mustJSON(src.Params)},
		pool:       pool{src.World, src.ProfileHash},
		scenario:   src.Scenario,
		profile:    src.Profile,
		seed:       src.Seed,
	}}
}

// sorted is every line once, so that those of one experiment follow each other, and within them those of one pool.
func sorted(in history.Lines) []line {
	lines := make([]line, 0, len(in.Records)+len(in.Cells))
	for i := range in.Records {
		r := &in.Records[i]
		l := newLine(&r.Source)
		l.record, l.run, l.content = r, r.Run, r.HistoryHash
		lines = append(lines, l)
	}
	for i := range in.Cells {
		c := &in.Cells[i]
		l := newLine(&c.Source)
		l.cell, l.content = c, mustJSON(c)
		lines = append(lines, l)
	}
	slices.SortFunc(lines, func(a, b line) int { return a.identity.compare(&b.identity) })
	return slices.CompactFunc(lines, func(a, b line) bool { return a.identity == b.identity })
}

func (a *identity) compare(b *identity) int {
	return cmp.Or(
		cmp.Compare(a.hash, b.hash),
		cmp.Compare(a.params, b.params),
		cmp.Compare(a.world, b.world),
		cmp.Compare(a.profileHash, b.profileHash),
		cmp.Compare(a.scenario, b.scenario),
		cmp.Compare(a.profile, b.profile),
		cmp.Compare(a.seed, b.seed),
		cmp.Compare(a.run, b.run),
		cmp.Compare(a.content, b.content),
	)
}

// chunks are the longest stretches of lines with one key.
func chunks[K comparable](lines []line, key func(line) K) [][]line {
	var out [][]line
	for start := 0; start < len(lines); {
		end := start + 1
		for end < len(lines) && key(lines[end]) == key(lines[start]) {
			end++
		}
		out = append(out, lines[start:end])
		start = end
	}
	return out
}

// mustJSON is v as JSON, keys in order. Params and cells always have one.
func mustJSON(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(data)
}
