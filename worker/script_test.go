package worker_test

import (
	"fmt"
	"strings"
	"testing"

	"locklab/history"
	"locklab/internal/choice"
	"locklab/worker"
	"locklab/worker/lock"
	"locklab/worker/wire"
)

const ms = 1_000_000

// simple is a plan with a lock, to be varied by tests: 300 ms of work, TTL 1000 ms, a retry every 25 ms.
func simple(change func(*worker.Plan)) worker.Plan {
	p := worker.Plan{
		Rounds: 1, Work: choice.Const(300 * ms), Think: choice.Const(10 * ms),
		Lock: lock.Policy{Kind: lock.Single, TTL: 1000 * ms, Retry: lock.Retry{Every: choice.Const(25 * ms)}},
	}
	if change != nil {
		change(&p)
	}
	return p
}

// play drives worker 0 of a plan by hand. Each line of the script is a time in ms and what happens then, and after "|"
// what the worker must wish for. What happens: begin, resumed, the name of a timer, or the reply to its oldest command:
// ok or nil, with a value (INCR) or the number inside (the referee). Wishes: timers with their time, commands, "(events)".
// Owner values are called A, B, … in the order in which they come up.
func play(t *testing.T, plan worker.Plan, script string) {
	t.Helper()
	p := player{worker: worker.New(worker.NewProgram(plan, 1), 0, choice.Seeded(1))}
	var got, want strings.Builder
	for line := range strings.Lines(strings.TrimSpace(script)) {
		input, wishes, _ := strings.Cut(line, "|")
		input = strings.Join(strings.Fields(input), " ")
		fmt.Fprintf(&want, "%-16s| %s\n", input, strings.TrimSpace(wishes))
		fmt.Fprintf(&got, "%-16s| %s\n", input, p.step(t, input))
	}
	if got.String() != want.String() {
		t.Errorf("got\n%swant\n%s", got.String(), want.String())
	}
}

type player struct {
	worker worker.Worker
	sent   []wire.Wish // commands that have not been answered
	values []int64     // owner values, in the order in which they came up
	wishes wire.Wishes
}

// step lets what a line says happen, and gives the wishes as text.
func (p *player) step(t *testing.T, line string) string {
	t.Helper()
	var at float64
	var what string
	var value int64
	if n, _ := fmt.Sscan(line, &at, &what, &value); n < 2 {
		t.Fatalf("not a line of a script: %q", line)
	}
	p.wishes.Reset()
	in := p.input(what, value)
	p.worker.Step(int64(at*ms), &in, &p.wishes)
	var words []string
	for _, e := range p.wishes.Notes() {
		words = append(words, "("+event(&e)+")")
	}
	for _, wish := range p.wishes.All() {
		if wish.Kind == wire.Send {
			p.sent = append(p.sent, wish)
		}
		words = append(words, p.word(&wish))
	}
	return strings.Join(words, " ")
}

var timerNames = [wire.NumTimers]string{"start", "retry", "step", "pause", "pause-at", "renew", "learn", "thread"}

func (p *player) input(what string, value int64) wire.Input {
	switch what {
	case "begin":
		return wire.Input{Kind: wire.Begin}
	case "resumed":
		return wire.Input{Kind: wire.Resumed}
	case "told":
		return wire.Input{Kind: wire.Told}
	case "ok", "nil":
		in := wire.Input{Kind: wire.Replied, Tag: p.sent[0].Tag}
		in.Reply = &wire.Reply{Status: wire.OK, Value: value, Inside: int32(value)}
		if what == "nil" {
			in.Reply.Status = wire.Nil
		}
		p.sent = p.sent[1:]
		return in
	}
	for i, name := range timerNames {
		if name == what {
			return wire.Input{Kind: wire.Fired, Timer: wire.Timer(i)}
		}
	}
	panic("nothing called " + what + " can happen")
}

// word is a wish as text.
func (p *player) word(w *wire.Wish) string {
	switch w.Kind {
	case wire.Send:
		return p.command(&w.Command)
	case wire.SetTimer:
		return fmt.Sprintf("%s@%v", timerNames[w.Timer], inMS(w.At))
	case wire.Cancel:
		return "no-" + timerNames[w.Timer]
	case wire.Stop:
		return fmt.Sprintf("STOP %v", inMS(w.For))
	case wire.Done:
		return "done"
	case wire.Unsubscribe:
		return "unsubscribe"
	}
	return "crash"
}

func inMS(ns int64) float64 { return float64(ns) / ms }

func (p *player) command(c *wire.Command) string {
	switch c.Op {
	case wire.SetNX:
		return fmt.Sprintf("SETNX %c %d", p.letter(c.Value), c.TTL)
	case wire.SetNXToken:
		return fmt.Sprintf("SETNX+INCR %c %d", p.letter(c.Value), c.TTL)
	case wire.CompareDelete:
		return fmt.Sprintf("DEL %c", p.letter(c.Value))
	case wire.Incr:
		return "INCR"
	case wire.Write:
		if c.OrEqual {
			return fmt.Sprintf("WRITE-ABOVE %d", c.Token)
		}
		return fmt.Sprintf("WRITE %d", c.Token)
	case wire.CompareExpire, wire.CompareExpireOrSet:
		return fmt.Sprintf("RENEW %c %d", p.letter(c.Value), c.TTL)
	case wire.Set:
		return fmt.Sprintf("SET %c %d", p.letter(c.Value), c.TTL)
	case wire.PExpire:
		return fmt.Sprintf("PEXPIRE %d", c.TTL)
	case wire.Get:
		return "GET"
	case wire.Del:
		return "PLAIN-DEL"
	case wire.SetNXOrLeft:
		return fmt.Sprintf("SETNX-OR-LEFT %c %d", p.letter(c.Value), c.TTL)
	case wire.SetInTurn:
		return fmt.Sprintf("IN-TURN %c %d %d", p.letter(c.Value), c.TTL, c.Place)
	case wire.LeaveQueue:
		return fmt.Sprintf("LEAVE-QUEUE %c", p.letter(c.Value))
	case wire.Subscribe:
		if c.Value == 0 {
			return "SUBSCRIBE"
		}
		return fmt.Sprintf("SUBSCRIBE %c", p.letter(c.Value))
	case wire.Enter:
		return "ENTER"
	case wire.Leave:
		return "LEAVE"
	}
	return fmt.Sprintf("command %d", c.Op)
}

// letter is the name of an owner value.
func (p *player) letter(value int64) rune {
	for i, v := range p.values {
		if v == value {
			return 'A' + rune(i)
		}
	}
	p.values = append(p.values, value)
	return 'A' + rune(len(p.values)-1)
}

// event is an event as text: its kind, and those of its fields that are set.
func event(e *history.Event) string {
	text := e.Kind.String()
	if e.Step != 0 {
		text += " " + e.Step.String()
	}
	for _, field := range []struct {
		format string
		value  int64
	}{{" %d", int64(e.Inside)}, {" token %d", e.Token}} {
		if field.value != 0 {
			text += fmt.Sprintf(field.format, field.value)
		}
	}
	if e.For != 0 {
		text += fmt.Sprintf(" %v", inMS(e.For))
	}
	return text
}
