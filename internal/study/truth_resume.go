package study

import (
	"fmt"

	"locklab/history"
	"locklab/scenarios"
)

// readKept reads what an earlier truth has left: the profile, and the cells and records that belong to this truth. What was
// simulated otherwise is simulated anew; what was measured otherwise is an error.
func (t *truth) readKept() (err error) {
	if t.profile, err = scenarios.LoadProfile(t.out.file(profileFile)); err != nil {
		return err
	}
	known := make(map[string]bool)
	for i := range t.set {
		known[t.set[i].hash] = true
	}
	if err := t.readCells(known); err != nil {
		return err
	}
	return t.readRecords(known)
}

// readCells reads the predictions of scenarios that are known by their hash.
func (t *truth) readCells(known map[string]bool) error {
	ideal := scenarios.Ideal()
	lines, err := t.out.readLines(simulatedFile)
	for i := range lines.Cells {
		c := &lines.Cells[i]
		same := c.Seed == t.Seed && c.Runs == int64(t.Runs) && (c.ProfileHash == t.profile.Hash() || c.ProfileHash == ideal.Hash())
		if same && known[c.ScenarioHash] {
			t.lines.Cells = append(t.lines.Cells, *c)
		}
	}
	return err
}

// readRecords reads the measurements of scenarios that are known by their hash.
func (t *truth) readRecords(known map[string]bool) error {
	lines, err := t.out.readLines(realFile)
	for i := range lines.Records {
		if r := &lines.Records[i]; !known[r.ScenarioHash] || !t.isHere(r) {
			return fmt.Errorf("%s: %s was measured with another seed or profile, or on another store", realFile, r.Scenario)
		}
	}
	t.lines.Records = lines.Records
	return err
}

// isHere reports whether a record is of this machine and store.
func (t *truth) isHere(r *history.Record) bool {
	return r.ProfileHash == t.profile.Hash() && r.Store == t.bench.store()
}
