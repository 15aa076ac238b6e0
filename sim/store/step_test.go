package store_test

import (
	"fmt"
	"math"
	"strings"

	"locklab/realrun"
	"locklab/worker/wire"
)

// A step moves the clock, then lets one connection do something.
type step struct {
	move       int64 // microseconds
	form       form
	connection int32
	commands   []wire.Command
	look       bool // afterwards look at every key, which deletes those whose time has come
}

// form is how the commands of a step are sent.
type form uint8

const (
	plain       form = iota // one after the other
	transaction             // MULTI … EXEC
	script                  // a script that calls one after the other, until one fails
)

// The TTLs that are near the end of time, which depends on the clock. See resolved.
const (
	lastTTL  = math.MaxInt64 - 1 // the longest that the clock has room for
	firstBad = math.MaxInt64 - 2 // one more than that
)

// resolved is the command as it is sent: TTLs of steps are relative to the clock, also where the command wants an
// instant, so that a step means the same wherever it stands.
func (p *pair) resolved(c wire.Command) wire.Command {
	ms := p.us / 1000
	switch {
	case c.TTL == lastTTL:
		c.TTL = math.MaxInt64 - ms
	case c.TTL == firstBad:
		c.TTL = math.MaxInt64 - ms + 1
	case c.TTL == math.MaxInt64:
	case c.Op == wire.PExpireAt, (isSet(&c) || c.Op == wire.CompareExpire) && c.Options&wire.ForDeadline == wire.PXAT:
		c.TTL += ms
	case isSet(&c) && c.Options&wire.ForDeadline == wire.EXAT:
		c.TTL += ms / 1000
	}
	return c
}

func isSet(c *wire.Command) bool { return c.Op == wire.Set || c.Op == wire.SetText }

// An outcome is what a step leads to, in one world.
type outcome struct {
	aborted bool         // a transaction that was not carried out
	replies []wire.Reply // of a script that failed, only the last
	seen    []wire.Reply
}

func (o *outcome) String() string {
	if o.aborted {
		return "aborted; then " + repliesText(o.seen)
	}
	return repliesText(o.replies) + "; then " + repliesText(o.seen)
}

func (o *outcome) equal(other *outcome) bool {
	return o.aborted == other.aborted && equalReplies(o.replies, other.replies) && equalReplies(o.seen, other.seen)
}

func equalReplies(a, b []wire.Reply) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// looks are the commands that look at every key. The first counts the keys before the others touch them.
var looks = func() []wire.Command {
	all := []wire.Command{{Op: wire.Size}}
	for _, k := range keys {
		all = append(all, wire.Command{Op: wire.Exists, Key: k}, wire.Command{Op: wire.PTTL, Key: k}, wire.Command{Op: wire.Get, Key: k})
	}
	return all
}()

// take takes a step in both worlds. The real one is asked first; both start at the same instant.
func (p *pair) take(s *step) (model, real outcome) {
	p.move(s.move)
	commands := make([]wire.Command, len(s.commands))
	for i, c := range s.commands {
		c.Worker = s.connection
		commands[i] = p.resolved(c)
	}
	real = p.takeReal(s, commands)
	model = p.takeModel(s, commands)
	return model, real
}

func (p *pair) takeModel(s *step, commands []wire.Command) (o outcome) {
	o.replies = make([]wire.Reply, len(commands))
	switch s.form {
	case transaction:
		if o.aborted = !p.model.Exec(p.now(), s.connection, commands, o.replies); o.aborted {
			o.replies = nil
			break
		}
		for i := range commands {
			p.sleep(&commands[i])
		}
	case script:
		n := p.model.Script(p.now(), commands, o.replies)
		if last := o.replies[n-1]; last.Status.Failed() {
			o.replies = []wire.Reply{last}
		}
	default:
		for i := range commands {
			p.model.Execute(p.now(), &commands[i], &o.replies[i])
			p.sleep(&commands[i])
		}
	}
	if s.look {
		o.seen = make([]wire.Reply, len(looks))
		for i := range looks {
			p.model.Execute(p.now(), &looks[i], &o.seen[i])
		}
	}
	return o
}

// sleep lets the model's clock go on as the server's did, which sleeps without sleeping.
func (p *pair) sleep(c *wire.Command) {
	if c.Op == wire.Sleep {
		p.us += c.Value
	}
}

func (p *pair) takeReal(s *step, commands []wire.Command) (o outcome) {
	c := p.real[s.connection]
	switch s.form {
	case transaction:
		c.put("MULTI")
		p.askAll(s.connection, commands)
		c.put("EXEC")
	case script:
		c.put(scriptOf(commands)...)
	default:
		p.askAll(s.connection, commands)
	}
	if s.look {
		p.askAll(s.connection, looks)
	}
	c.flush()
	if s.form == transaction {
		for range len(commands) + 1 {
			c.read() // OK, QUEUED, …
		}
	}
	if s.form == plain {
		o.replies = readAll(c, commands)
	} else {
		o.replies, o.aborted = together(c.read(), commands)
	}
	if s.look {
		o.seen = readAll(c, looks)
	}
	return o
}

func (p *pair) askAll(connection int32, commands []wire.Command) {
	for i := range commands {
		p.ask(connection, &commands[i])
	}
}

func readAll(c *connection, commands []wire.Command) []wire.Reply {
	replies := make([]wire.Reply, len(commands))
	for i := range commands {
		replies[i] = understand(&commands[i], c.read())
	}
	return replies
}

// together reads the one answer to several commands.
func together(answer any, commands []wire.Command) (replies []wire.Reply, aborted bool) {
	switch answer := answer.(type) {
	case nil:
		return nil, true
	case []any:
		for i := range answer {
			replies = append(replies, understand(&commands[i], answer[i]))
		}
		return replies, false
	}
	return []wire.Reply{understand(&commands[0], answer)}, false
}

// caller is a script that calls commands: each is a number of words, and then these. For
// DEBUG SLEEP it logs a long line: see takeSlow.
const caller = `
local replies, i = {}, 1
while i <= #ARGV do
	local words, n = {}, tonumber(ARGV[i])
	for j = 1, n do words[j] = ARGV[i + j] end
	i = i + n + 1
	if words[1] == 'DEBUG' then
		redis.log(redis.LOG_WARNING, string.rep('.', 200000))
		replies[#replies + 1] = {ok = 'OK'}
	else
		replies[#replies + 1] = redis.call(unpack(words))
	end
end
return replies`

// scriptOf is the request for a script that calls the commands.
func scriptOf(commands []wire.Command) []any {
	request := []any{"EVAL", caller, 0}
	for i := range commands {
		words, err := realrun.Translate(&commands[i], keyNames)
		if err != nil {
			panic(err)
		}
		request = append(append(request, len(words)), words...)
	}
	return request
}

// sleeps is how long the commands of a step sleep.
func sleeps(s *step) (us int64) {
	for i := range s.commands {
		if s.commands[i].Op == wire.Sleep {
			us += s.commands[i].Value
		}
	}
	return us
}

// String is the step as one would type it.
func (s *step) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%+7d us  connection %d: ", s.move, s.connection)
	switch s.form {
	case transaction:
		b.WriteString("MULTI, EXEC of ")
	case script:
		b.WriteString("script of ")
	}
	for i := range s.commands {
		c := s.commands[i]
		words, _ := realrun.Translate(&c, keyNames)
		if len(words) > 1 && words[0] == "EVALSHA" {
			words[1] = scriptNames[c.Op]
		}
		text := fmt.Sprintln(words...)
		b.WriteString("[" + text[:len(text)-1] + "] ")
	}
	if s.look {
		b.WriteString("and look at every key")
	}
	return b.String()
}

var scriptNames = map[wire.Op]string{
	wire.SetNXToken: "acquire-with-token", wire.SetOwn: "acquire-own", wire.CompareDelete: "release", wire.CompareExpire: "renew",
	wire.CompareExpireOrSet: "renew-or-set",
	wire.Write:              "write", wire.Enter: "enter", wire.Leave: "leave",
	wire.SetNXOrLeft: "acquire-or-left", wire.SetNXTokenOrLeft: "acquire-with-token-or-left", wire.CompareDeletePublish: "release-publish",
	wire.SetInTurn: "acquire-in-turn", wire.DeleteInTurn: "release-in-turn", wire.LeaveQueue: "leave-queue",
}

func repliesText(replies []wire.Reply) string {
	var all []string
	for i := range replies {
		all = append(all, replyText(&replies[i]))
	}
	return strings.Join(all, " ")
}

func replyText(r *wire.Reply) string {
	names := []string{"?", "OK", "nil", "wrong-type", "not-an-integer", "overflow", "bad-expiry", "bad-options", "raised"}
	switch {
	case r.Order != 0:
		return fmt.Sprintf("{order %d at %d inside %d overlap %d}", r.Order, r.At, r.Inside, r.Overlap)
	case r.Text:
		return fmt.Sprintf("text-%d", r.Value)
	case r.Status != wire.OK:
		return names[r.Status]
	}
	return fmt.Sprint(r.Value)
}
