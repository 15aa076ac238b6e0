package compare

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"locklab/history"
)

// A Change is one thing in which two cells differ.
type Change struct {
	What string `json:"what"` // scenario, scenario file, scale, profile, or the path of a parameter
	A    string `json:"a"`
	B    string `json:"b"`
}

// asWritten stands for the value of a parameter that was not set.
const asWritten = "as written"

// contrast is everything in which two cells differ but their runs, in a fixed order.
func contrast(a, b *history.Source) []Change {
	var changes []Change
	add := func(what, a, b string) {
		if a != b {
			changes = append(changes, Change{what, a, b})
		}
	}
	add("scenario", a.Scenario, b.Scenario)
	set := changesOfSet(a.Params.Set, b.Params.Set)
	if len(changes) == 0 && len(set) == 0 && a.ScenarioHash != b.ScenarioHash {
		add("scenario file", "one version", "another")
	}
	changes = append(changes, set...)
	add("scale", fmt.Sprint(a.Params.Scale), fmt.Sprint(b.Params.Scale))
	if a.ProfileHash != b.ProfileHash {
		add("profile", named(a.Profile, a.ProfileHash, b.Profile), named(b.Profile, b.ProfileHash, a.Profile))
	}
	return changes
}

func changesOfSet(a, b map[string]string) []Change {
	both := maps.Clone(a)
	if both == nil {
		both = make(map[string]string)
	}
	maps.Copy(both, b)
	var changes []Change
	for _, path := range slices.Sorted(maps.Keys(both)) {
		if left, right := setting(a, path), setting(b, path); left != right {
			changes = append(changes, Change{path, left, right})
		}
	}
	return changes
}

func setting(set map[string]string, path string) string {
	if value, ok := set[path]; ok {
		return value
	}
	return asWritten
}

// named is a profile's name, with its hash if the other has the same name.
func named(name, hash, other string) string {
	if name != other {
		return name
	}
	return fmt.Sprintf("%s (%.8s)", name, hash)
}

// unchanged names what the two cells of a row have in common: their scenario, and what was set alike in both; "" if that is
// nothing.
func (r *PairedRow) unchanged() string {
	common := r.A
	common.Params.Set = maps.Clone(r.A.Params.Set)
	for _, c := range r.Contrast {
		switch c.What {
		case "scenario":
			common.Scenario = ""
		case "scale":
			common.Params.Scale = 1
		default:
			delete(common.Params.Set, c.What)
		}
	}
	return strings.TrimSpace(cellName(&common))
}
