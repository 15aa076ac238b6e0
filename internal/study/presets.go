package study

import (
	"context"
	"fmt"
	"io"
	"strings"

	"locklab/history"
	"locklab/internal/choice"
	"locklab/scenarios"
	"locklab/worker/lock"
)

// Presets are the experiments B, C and D of the lesson under the lock of every library: with its own TTL, and with the experiment's.
type Presets struct {
	Profile *scenarios.Profile
	Seed    uint64
	Runs    int
	Done    func(runs int) // called with the number of runs just finished, from any goroutine, if not nil
}

// presetExperiments are those that every preset is tried on.
var presetExperiments = []string{"lesson/b", "lesson/c", "lesson/d"}

// TotalRuns is how many runs Write simulates, at most.
func (p *Presets) TotalRuns() int {
	return 2 * len(presetExperiments) * len(scenarios.PresetNames()) * p.Runs
}

// Write simulates, and writes a Markdown page.
func (p *Presets) Write(ctx context.Context, w io.Writer) error {
	var b strings.Builder
	fmt.Fprint(&b, presetsHead)
	fmt.Fprintf(&b, "%d simulated runs each, seed %d, profile %s, made by\n\n", p.Runs, p.Seed, p.Profile.Name)
	fmt.Fprintf(&b, "```text\n./locklab scenarios presets --runs %d > docs/presets.md\n```\n\n", p.Runs)
	fmt.Fprintln(&b, "| preset | library | TTL | retry | renewal | release | what a holder notices of a loss | fencing token | B, C, D with its own TTL | B, C, D with theirs |")
	fmt.Fprintln(&b, "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |")
	for _, name := range scenarios.PresetNames() {
		row, err := p.row(ctx, name)
		if err != nil {
			return fmt.Errorf("preset %s: %w", name, err)
		}
		fmt.Fprintf(&b, "| %s |\n", strings.Join(row, " | "))
	}
	fmt.Fprint(&b, presetsFoot)
	_, err := io.WriteString(w, b.String())
	return err
}

const presetsHead = `# Locks of libraries

What a library does by default, and what that makes of the lesson's experiments: the share of entries that met somebody inside. B has
work of 300 ms and a TTL of 1 s; C the same with a TTL of 200 ms; D has a pause of 1.2 s, longer than its TTL of 1 s. With *its own TTL*
the library's default takes the place of the experiment's: often so long that these jobs never meet its end. Where the library has
no default, the TTL is an argument, and only the last column says something.

`

const presetsFoot = `
A rate in parentheses is beside the share of rounds that got no lock at all: with few tries, most rounds give up, and who does nothing
meets nobody. Each number of a preset has its source in its file: ` + "`./locklab scenarios show redsync`" + `. What a job of your own makes of
one, and with what worst case, says ` + "`./locklab sim mine.yaml --set lock=redsync`" + `; any part may be set after that, as in
` + "`--set lock=redsync --set lock.stores=5`" + `.
`

// row is what there is to say of a preset.
func (p *Presets) row(ctx context.Context, name string) ([]string, error) {
	preset, err := scenarios.PresetNamed(name)
	if err != nil {
		return nil, err
	}
	e, err := NewExperiment("lesson/d", []string{"lock=" + name}, 1)
	if err != nil {
		return nil, err
	}
	policy := &e.Scenario.Lock
	ttl := "argument"
	own, theirs := none, none
	switch {
	case !policy.HasTTL():
		ttl = "none"
		if own, err = p.rates(ctx, name, false); err == nil {
			theirs, err = p.rates(ctx, name, true)
		}
	case preset.TakesTTL():
		theirs, err = p.rates(ctx, name, false)
	default:
		ttl = short(policy.TTL)
		if own, err = p.rates(ctx, name, false); err == nil {
			theirs, err = p.rates(ctx, name, true)
		}
	}
	if err != nil {
		return nil, err
	}
	token := "none"
	if preset.HasToken() {
		token = "with the grant"
	}
	return []string{
		"`" + name + "`", preset.Library, ttl, retryWords(&policy.Retry), renewalWords(policy, preset), releaseWords(policy), preset.Notices, token, own, theirs,
	}, nil
}

const none = "–"

// rates are the conflict rates of the experiments, in percent.
func (p *Presets) rates(ctx context.Context, name string, theirTTL bool) (string, error) {
	var words []string
	for _, experiment := range presetExperiments {
		set := []string{"lock=" + name}
		if theirTTL {
			written, err := scenarios.Load(experiment)
			if err != nil {
				return "", err
			}
			set = append(set, "lock.ttl="+short(written.Lock.TTL))
		}
		e, err := NewExperiment(experiment, set, 1)
		if err != nil {
			return "", err
		}
		prediction := Prediction{Profile: p.Profile, Seed: p.Seed, Runs: p.Runs, Done: p.Done}
		cell, err := prediction.Predict(ctx, e)
		if err != nil {
			return "", err
		}
		words = append(words, rateWords(cell, e.Scenario))
	}
	return strings.Join(words, ", "), nil
}

// rateWords is a conflict rate, and the share of rounds that gave up if there are many.
func rateWords(c *history.Cell, s *scenarios.Scenario) string {
	text := "0 %"
	if entries := c.Entries.Mean(); entries > 0 && c.Conflicts.Mean() > 0 {
		text = fmt.Sprintf("%.0f %%", 100*c.Conflicts.Mean()/entries)
	}
	if gaveUp := c.GaveUp.Mean() / float64(s.Workers) / float64(s.Rounds); gaveUp >= 0.01 {
		text += fmt.Sprintf(" (%.0f %% got none)", 100*gaveUp)
	}
	return text
}

func retryWords(r *lock.Retry) string {
	switch {
	case r.Wake == lock.ByMessage:
		return "told of a release, or at the end of the lease; without end"
	case r.Wake == lock.InTurn:
		return "the same, in turn; without end"
	case r.Tries == 1:
		return "none"
	}
	text := lawWords(&r.Every)
	if r.Tries > 0 {
		return text + fmt.Sprintf(", %d tries", r.Tries)
	}
	return text + ", without end"
}

// lawWords are the words for the laws that libraries wait by.
func lawWords(l *choice.Law) string {
	if l.Kind == choice.Uniform {
		return short(l.A) + " to " + short(l.B)
	}
	return "every " + short(l.A)
}

func renewalWords(p *lock.Policy, preset *scenarios.Preset) string {
	switch {
	case p.Renew.Every == 0:
		return "none"
	case preset.TakesTTL():
		return fmt.Sprintf("every %.2g of the TTL", float64(p.Renew.Every)/float64(p.TTL))
	}
	return "every " + short(p.Renew.Every)
}

func releaseWords(p *lock.Policy) string {
	switch p.Release {
	case lock.PlainDelete:
		return "DEL, whoever has it"
	case lock.GetDelete:
		return "GET, then DEL"
	}
	return "compare and delete"
}
