package compare

import (
	"cmp"
	"slices"

	"locklab/history"
)

// A Verdict says whether measurement and prediction could be told apart.
type Verdict string

// The verdicts.
const (
	Agree   Verdict = "agree"   // they could not
	Differ  Verdict = "differ"  // they could, and at most 1 % of all tables contain one that is wrong
	Unknown Verdict = "unknown" // there was nothing to test, or too little
)

// A Row is the comparison for one scenario, as it was run, with the measurements under one profile. One JSON line.
type Row struct {
	Scenario     string          `json:"scenario"`
	ScenarioHash string          `json:"scenario_hash"`
	Params       history.Params  `json:"params"`
	Published    *history.Counts `json:"published"`       // by somebody else, on another machine: shown, never tested
	Place        *Place          `json:"published_place"` // of what was published among simulated runs; nil for none, and of another scale
	Simulated    *Prediction     `json:"simulated"`       // under the profile of the measurements; nil for none
	Reference    *Prediction     `json:"reference"`       // under a profile of no measurement; nil for none
	Measured     *Measurement    `json:"measured"`        // nil for none
	N            int             `json:"n"`               // repetitions measured undisturbed
	NotMeasured  int             `json:"not_measured"`    // repetitions that Options.Wanted asked for beyond N
	Ranks        []float64       `json:"ranks"`           // mid-rank of each repetition's conflicts among the simulated runs, 0 to 1
	P            *float64        `json:"p"`               // 0 to 1, before Holm's correction; nil where nothing was tested
	Verdict      Verdict         `json:"verdict"`
	Why          string          `json:"why"`                // what is to be known about the verdict; empty for a plain agree
	Findings     []string        `json:"findings,omitempty"` // what is to be known about the numbers

	hidden []string    // profiles that were predicted too, without a place in the row
	ideal  *Prediction // under the profile ideal; nil for none
}

// A Place says where published conflicts stand among the simulated runs of one prediction: the reference, else the one that is
// tested.
type Place struct {
	Profile string  `json:"profile"`
	Rank    float64 `json:"rank"` // mid-rank, 0 to 1
	P       float64 `json:"p"`    // how likely a run is that is at least as far off to its side, doubled; at most 1
}

// A Prediction is what the simulated runs of one scenario under one profile gave: every Stat is of the counts per run.
type Prediction struct {
	Profile        string       `json:"profile"`
	ProfileHash    string       `json:"profile_hash"`
	Seeds          []uint64     `json:"seeds"` // ascending
	Runs           int64        `json:"runs"`
	Bounded        int64        `json:"bounded,omitempty"` // runs that were cut short
	Entries        history.Stat `json:"entries"`
	Conflicts      history.Stat `json:"conflicts"`
	RejectedWrites history.Stat `json:"rejected_writes"`
	LostHolds      history.Stat `json:"lost_holds"`
	GaveUp         history.Stat `json:"gave_up"`
	Damage         history.Stat `json:"damage"` // updates lost, jobs done twice, jobs not done

	ranking ranking // of the conflicts
	damage  ranking
	updates bool    // something was written at a commit
	overlap ranking // of the overlap in nanoseconds, by buckets
}

// A Measurement is what real runs of one scenario gave on a machine with one profile: in every list, one number per
// repetition, in the order of seed and repetition.
type Measurement struct {
	Profile        string          `json:"profile"`
	ProfileHash    string          `json:"profile_hash"`        // empty if no profile was measured
	Seeds          []uint64        `json:"seeds"`               // ascending
	Stores         []history.Store `json:"stores"`              // what answered the commands
	Bounded        int64           `json:"bounded,omitempty"`   // repetitions that were cut short
	Disturbed      int64           `json:"disturbed,omitempty"` // runs that were disturbed; they are no repetitions, and in no list
	Entries        []int64         `json:"entries"`
	Conflicts      []int64         `json:"conflicts"`
	RejectedWrites []int64         `json:"rejected_writes"`
	LostHolds      []int64         `json:"lost_holds"`
	GaveUp         []int64         `json:"gave_up"`
	Damage         []int64         `json:"damage"`

	updates bool            // something was written at a commit
	first   *history.Record // the first repetition that was neither disturbed nor cut short; nil for none
}

// Options say what the caller knows beyond the lines.
type Options struct {
	Wanted int // repetitions that every scenario should have; 0 for as many as there are
}

// Rows compares all measurements with their predictions. A prediction without a measurement has a row too, and so has a
// measurement without a prediction; both are unknown. Lines that came twice count once. Scenarios come in the order in
// which their names do, in the cells and then in the records; the rows of one scenario are in the order of their
// parameters, numbers and lengths of time by size. Nothing else depends on the order of the lines, or on the files they
// came from.
func Rows(lines history.Lines, opts Options) []Row {
	rows := untested(lines)
	places := appearance(lines)
	slices.SortStableFunc(rows, func(a, b Row) int { return cmp.Compare(places[a.Scenario], places[b.Scenario]) })
	for i := range rows {
		rows[i].NotMeasured = max(0, opts.Wanted-rows[i].N)
		rows[i].Place = placeOf(&rows[i])
		rows[i].Findings = findings(&rows[i])
	}
	judge(rows)
	return rows
}

// untested is the rows before anything is tested, whatever the order of the lines.
func untested(lines history.Lines) []Row {
	var rows []Row
	for _, experiment := range chunks(sorted(lines), func(l line) experiment { return l.experiment }) {
		rows = append(rows, pair(experiment)...)
	}
	slices.SortStableFunc(rows, func(a, b Row) int { return a.compare(&b) })
	return rows
}

// placeOf is where the row's published conflicts stand. They are not scaled, so they have no place among runs that are.
func placeOf(r *Row) *Place {
	p := cmp.Or(r.Reference, r.Simulated)
	if r.Published == nil || r.Params.Scale != 1 || p == nil || p.Runs == 0 {
		return nil
	}
	x := r.Published.Conflicts
	below, equal := p.ranking.place(x, x)
	return &Place{p.Profile, p.ranking.midRank(x), twoSided(below, equal, p.Runs)}
}
