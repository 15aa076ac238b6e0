package cli

import (
	"fmt"
	"io"
	"strings"
	"time"

	"locklab/internal/study"
	"locklab/scenarios"
)

// What is asked about before it starts, and what is worth a hint.
const (
	longTime   = time.Hour
	hintFrom   = 5 * time.Minute
	hintFactor = 10
)

// askForYes refuses a measurement that takes very long, unless --yes is given, and says how long.
func (c *realCommand) askForYes(out *realOutput, m *study.Measurement, experiments []*study.Experiment) error {
	if c.yes {
		return nil
	}
	plan := m.Plan(experiments)
	if plan.Time <= longTime {
		return nil
	}
	return fmt.Errorf("real %s take about %s%s; --yes starts it all the same",
		c.work(out, experiments, plan), textTime(plan.Time), c.hint(plan.Time))
}

// announce says what a grid's measurement will be.
func (c *realCommand) announce(w io.Writer, out *realOutput, m *study.Measurement, experiments []*study.Experiment) {
	plan := m.Plan(experiments)
	if plan.Runs == 0 {
		fmt.Fprintf(w, "%s: nothing is left to measure\n", out.header.Scenario)
		return
	}
	fmt.Fprintf(w, "%s, in %s%s\n", c.work(out, experiments, plan), number(int64(plan.Waves), "wave"), c.about(plan.Time))
	fmt.Fprintln(w, whatDisturbs(m.Profile, experiments, c.repeats))
}

// work is e.g. "lesson/d: 25 cells × 4 repetitions = 100 runs, of which 12 are there already, 15 at once".
func (c *realCommand) work(out *realOutput, experiments []*study.Experiment, plan study.Plan) string {
	what, name := "", "scenario"
	if out.grid != nil {
		what, name = experiments[0].Scenario.Name+": ", "cell"
	}
	all := len(experiments) * c.reps
	there := ""
	if plan.Runs < all {
		there = fmt.Sprintf(", of which %d are there already", all-plan.Runs)
	}
	return fmt.Sprintf("%s%s × %s = %s%s, %d at once", what, number(int64(len(experiments)), name),
		number(int64(c.reps), "repetition"), number(int64(all), "run"), there, plan.Side)
}

func (c *realCommand) about(t time.Duration) string {
	if t == 0 {
		return "; how long they take would itself take long to find out"
	}
	text := ": about " + textTime(t)
	if c.with.scale != 1 {
		text += fmt.Sprintf(" at scale %g", c.with.scale)
	}
	return text + c.hint(t)
}

// hint says what a smaller scale would make of a long time.
func (c *realCommand) hint(t time.Duration) string {
	if t < hintFrom || c.with.scale != 1 {
		return ""
	}
	return fmt.Sprintf(", with --scale %g about %s", 1.0/hintFactor, textTime(t/hintFactor))
}

// whatDisturbs says what makes a run a disturbed one: at least, if the experiments differ.
func whatDisturbs(p *scenarios.Profile, experiments []*study.Experiment, repeats int) string {
	l := study.NewLimits(p, experiments[0].Scenario)
	for _, e := range experiments[1:] {
		other := study.NewLimits(p, e.Scenario)
		l.Late.Most, l.Answer.Most = min(l.Late.Most, other.Late.Most), min(l.Answer.Most, other.Answer.Most)
	}
	var signs []string
	if l.Late != (study.Limit{}) {
		signs = append(signs, "the supervisor is late by "+atMost(l.Late))
	}
	if l.Answer != (study.Limit{}) {
		signs = append(signs, "Redis takes "+atMost(l.Answer)+" to answer")
	}
	if len(signs) == 0 {
		return fmt.Sprintf("profile %s does not say how late this machine's supervisor may be: only a suspension or a jump of the clock disturbs a run", p.Name)
	}
	return fmt.Sprintf("a run is disturbed, and measured again up to %d times, if %s", repeats, strings.Join(signs, " or "))
}

// atMost is e.g. "more than 20.0 ms once or 0.4 ms at the median".
func atMost(l study.Limit) string {
	return fmt.Sprintf("more than %.1f ms once or %.1f ms at the median", l.Most.Seconds()*1000, l.Median.Seconds()*1000)
}
