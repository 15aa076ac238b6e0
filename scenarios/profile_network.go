package scenarios

import (
	"reflect"
	"slices"

	"locklab/worker/wire"
)

var (
	networkKeys = []string{"each_way", "round_trip", "after_reply", "after_stop", "by_command", "further"}
	afterKeys   = []string{"after_sleep", "after_reply"}
	tripKeys    = []string{"there", "back"}
	commandKeys = commandNames()
)

// commands are the commands of a worker, by the names that a profile has for them.
var commands = []struct {
	name string
	op   wire.Op
}{
	{"acquire", wire.SetNX}, {"acquire_with_token", wire.SetNXToken}, {"release", wire.CompareDelete}, {"token", wire.Incr},
	{"write", wire.Write}, {"enter", wire.Enter}, {"leave", wire.Leave},
}

func commandNames() (list []string) {
	for _, c := range commands {
		list = append(list, c.name)
	}
	return list
}

// CommandName is the name that a profile has for a worker's command; "" if it has none.
func CommandName(op wire.Op) string {
	for _, c := range commands {
		if c.op == op {
			return c.name
		}
	}
	return ""
}

// network decodes the latency of a command: of each way, of the sum of both, or by what went before.
func (d *decoder) network(n *node) Network {
	f := d.mapping(n, networkKeys)
	way := d.oneOf(n, f, "each_way", "round_trip", "after_reply")
	if way == "after_reply" {
		return Network{Ways: d.ways(f)}
	}
	for _, key := range []string{"after_stop", "by_command", "further"} {
		if n := f[key]; n != nil {
			d.fail(n, "goes with network.after_reply, not with network.%s", way)
		}
	}
	network := Network{RoundTrip: way == "round_trip"}
	laws := f[way]
	if d.skip(laws) {
		return network
	}
	if laws.get("after_sleep") == nil && laws.get("after_reply") == nil {
		network.AfterSleep = d.law(laws)
		network.AfterReply = network.AfterSleep
		return network
	}
	after := d.mapping(laws, afterKeys)
	d.require(laws, after, afterKeys...)
	network.AfterSleep, network.AfterReply = d.law(after["after_sleep"]), d.law(after["after_reply"])
	return network
}

func (d *decoder) ways(f fields) *Ways {
	w := &Ways{AfterReply: d.trip(f["after_reply"]), AfterStop: d.trip(f["after_stop"]), Further: d.positive(f["further"])}
	extra := d.mapping(f["by_command"], commandKeys)
	for _, c := range commands {
		if n := extra[c.name]; n != nil {
			w.ByCommand = append(w.ByCommand, Extra{c.op, d.positive(n)})
		}
	}
	slices.SortFunc(w.ByCommand, func(a, b Extra) int { return int(a.Op) - int(b.Op) })
	return w
}

func (d *decoder) trip(n *node) Trip {
	f := d.mapping(n, tripKeys)
	d.require(n, f, tripKeys...)
	return d.tripOf(f)
}

func (d *decoder) tripOf(f fields) Trip {
	return Trip{There: d.law(f["there"]), Back: d.law(f["back"])}
}

// networkNode is the latency as a node; nil if there is none.
func networkNode(p *Network) *node {
	if p.Ways != nil {
		return waysNode(p.Ways)
	}
	if !p.RoundTrip && p.AfterSleep.IsZero() && p.AfterReply.IsZero() {
		return nil
	}
	laws := mapping().with("after_sleep", profileLawNode(p.AfterSleep)).with("after_reply", profileLawNode(p.AfterReply))
	if reflect.DeepEqual(p.AfterSleep, p.AfterReply) {
		laws = profileLawNode(p.AfterSleep)
	}
	if p.RoundTrip {
		return mapping().with("round_trip", laws)
	}
	return mapping().with("each_way", laws)
}

func waysNode(w *Ways) *node {
	n := mapping().with("after_reply", tripNode(&w.AfterReply))
	if !w.AfterStop.IsZero() {
		n.with("after_stop", tripNode(&w.AfterStop))
	}
	if len(w.ByCommand) > 0 {
		extra := mapping()
		for _, e := range w.ByCommand {
			extra.with(CommandName(e.Op), durationNode(e.More))
		}
		n.with("by_command", extra)
	}
	n.withDuration("further", w.Further)
	return n
}

func tripNode(t *Trip) *node {
	return mapping().with("there", profileLawNode(t.There)).with("back", profileLawNode(t.Back))
}

// withTrip adds the keys of a trip to a mapping, unless it takes no time.
func (n *node) withTrip(t *Trip) *node {
	if t.IsZero() {
		return n
	}
	return n.with("there", profileLawNode(t.There)).with("back", profileLawNode(t.Back))
}
