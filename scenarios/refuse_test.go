package scenarios

import (
	"strings"
	"testing"
	"time"
)

// What messages end with.
const (
	durations = "want a number with a unit, e.g. 300ms (units: ns, us, ms, s, m, h; from 0 to 24h)"
	laws      = "uniform, exponential, lognormal, empirical, sequence"
	samples   = "want a list of durations, e.g. [1ms, 2ms], or the name of a file with one in each line"
	keys      = "scenario, title, teaches, workers, rounds, start, work, think, lock, fencing, resource, pauses, crashes, delay, published"
)

// A refusal is bad input, and the message that it must give after the name of the file.
type refusal struct{ yaml, want string }

func checkRefusals(t *testing.T, refusals []refusal) {
	t.Helper()
	for _, r := range refusals {
		_, err := Parse("x.yaml", []byte(r.yaml))
		if err == nil {
			t.Errorf("%.200q: no error, want %s", r.yaml, r.want)
		} else if err.Error() != "x.yaml:"+r.want {
			t.Errorf("%.200q:\n got %v\nwant x.yaml:%s", r.yaml, err, r.want)
		}
	}
}

func TestParseRefusesDocuments(t *testing.T) {
	checkRefusals(t, []refusal{
		{"", "1:1: empty; want one YAML document"},
		{"# nothing\n", "1:1: empty; want one YAML document"},
		{"5", "1:1: the document is 5; want a mapping with some of: " + keys},
		{"[1]", "1:1: the document is a list; want a mapping with some of: " + keys},
		{"a: [1\n", "1:4: not valid YAML: sequence end token ']' not found"},
		{"scenario: \xff", "1:11: not a UTF-8 text; save the file in this encoding"},
		{"a: 1\n---\nb: 2\n", "3:1: a second document; want only one"},
		{"a: &b 1\n", "1:4: an anchor (&) is not supported; write the value out"},
		{"a: *b\n", "1:4: an alias (*) is not supported; write the value out"},
		{"<<: {a: 1}\n", "1:1: a merge key (<<) is not supported; write the value out"},
		{"a: !!str 1\n", "1:4: a tag (!) is not supported; write the value out"},
		{"? a\n: b\n", "1:1: a key that begins with ? is not supported; write the value out"},
		{"a: [[1]]\n", `1:1: unknown key "a" in the document; allowed: ` + keys},
		{"- - 1\n", "1:3: a list in a list; no value here is one"},
		{"%YAML 1.2\n---\na: 1\n", "1:1: a directive (%) is not supported; write the value out"},
		{"1: 2\nnull: 2\n", "2:1: a key that is empty; a key is a word"},
		{"scenario: x\nrounds: 4\n", `1:1: the document lacks "workers"; it must have: scenario, workers, rounds, work`},
	})
}

func TestParseRefusesNumbers(t *testing.T) {
	checkRefusals(t, []refusal{
		{"scenario: ../x\nworkers: 0\nrounds: 1\nwork: 1ms\n", `1:11: scenario is "../x"; want a name of up to 100 letters, digits, - and _, with single / or . between parts`},
		{"scenario: x\nworkers: 0\nrounds: 1\nwork: 1ms\n", "2:10: workers is 0, out of bounds; want a whole number from 1 to 1000"},
		{"scenario: x\nworkers: 2\nrounds: 1000000000\nwork: 1ms\n", "3:9: rounds is 1000000000, out of bounds; want a whole number from 1 to 1000000"},
		{"scenario: x\nworkers: 99999999999999999999\nrounds: 1\nwork: 1ms\n", `2:10: workers is "99999999999999999999", out of bounds; want a whole number from 1 to 1000`},
		{"scenario: x\nworkers: two\nrounds: 1\nwork: 1ms\n", `2:10: workers is "two"; want a whole number from 1 to 1000`},
		{"scenario: x\nworkers: \"2\"\nrounds: 1\nwork: 1ms\n", `2:10: workers is "2"; want a whole number from 1 to 1000`},
		{"scenario: x\nworkers: 2.0\nrounds: 1\nwork: 1ms\n", "2:10: workers is 2.0; want a whole number from 1 to 1000"},
		{"scenario: x\nworkers: 0x2\nrounds: 1\nwork: 1ms\n", "2:10: workers is 0x2; want a whole number from 1 to 1000"},
		{"scenario: x\nworkers: 2\nrounds: [1]\nwork: 1ms\n", "3:9: rounds is a list; want a whole number from 1 to 1000000"},
		{"scenario: x\nworkers: 2\nrounds: 1\nwork:\n", "4:7: work is empty, not a duration; " + durations},
	})
}

func TestParseRefusesDurations(t *testing.T) {
	const head = "scenario: x\nworkers: 2\nrounds: 1\n"
	checkRefusals(t, []refusal{
		{head + "work: 300\n", "4:7: work is 300, without a unit; " + durations},
		{head + "work: -1ms\n", "4:7: work is -1ms, negative; " + durations},
		{head + "work: 25h\n", "4:7: work is 25h, more than a day; " + durations},
		{head + "work: 0.5ns\n", "4:7: work is 0.5ns, not a whole number of nanoseconds; " + durations},
		{head + "work: 3 days\n", `4:7: work is "3 days", not a duration; ` + durations},
		{head + "work: 3d\n", `4:7: work is 3d, of the unknown unit "d"; ` + durations},
		{head + "work: [1ms]\n", "4:7: work is a list, not a duration; " + durations},
		{head + "work: {}\n", "4:7: work has none of cpu, " + laws + "; give exactly one"},
		{head + "work: {cpu: 1ms, uniform: [1ms, 2ms]}\n", "4:7: work has both cpu and uniform; give only one of: cpu, " + laws},
		{head + "work: {uniform: [2ms, 1ms]}\n", "4:17: work.uniform is from 2ms to 1ms; the second must not be below the first"},
		{head + "work: {uniform: [2ms]}\n", "4:17: work.uniform has length 1; want at least 2 durations"},
		{head + "work: {uniform: [1ms, 2ms, 3ms]}\n", "4:17: work.uniform has length 3; want the least and the longest duration, e.g. [1ms, 3ms]"},
		{head + "work: {uniform: 1ms}\n", `4:17: work.uniform is "1ms"; want a list of durations`},
		{head + "work: {uniform: [1ms, 2ms], exponential: 1ms}\n", "4:7: work has both uniform and exponential; give only one of: cpu, " + laws},
		{head + "work: {empirical_ns: [1]}\n", `4:8: unknown key "empirical_ns" in work; did you mean "empirical"? allowed: cpu, ` + laws},
	})
}

func TestParseRefusesLaws(t *testing.T) {
	const head = "scenario: x\nworkers: 2\nrounds: 1\nthink: "
	const tail = "\nwork: 1ms\n"
	checkRefusals(t, []refusal{
		{head + "{lognormal: 1ms}" + tail, `4:20: think.lognormal is "1ms"; want a mapping with some of: median, p99`},
		{head + "{lognormal: {median: 1ms}}" + tail, `4:20: think.lognormal lacks "p99"; it must have: median, p99`},
		{head + "{lognormal: {median: 1ms, p95: 2ms}}" + tail, `4:34: unknown key "p95" in think.lognormal; did you mean "p99"? allowed: median, p99`},
		{head + "{lognormal: {median: 0ms, p99: 2ms}}" + tail, "4:29: think.lognormal.median is 0ms; want a duration above 0, e.g. 300ms"},
		{head + "{lognormal: {median: 3ms, p99: 2ms}}" + tail, "4:20: think.lognormal has a p99 of 2ms, below its median of 3ms; want it at least as long"},
		{head + "{lognormal: {median: 1ms, p99: 1s}}" + tail, "4:20: think.lognormal has so long a tail that its longest draw would be above a year; want a p99 of at most 465ms for a median of 1ms"},
		{head + "{lognormal: {median: 1ns, p99: 24h}}" + tail, "4:20: think.lognormal has so long a tail that its longest draw would be above a year; want a p99 of at most 15571ns for a median of 1ns"},
		{head + "{empirical: []}" + tail, "4:20: think.empirical has length 0; want at least 1 durations"},
		{head + "{empirical: [1ms, 2]}" + tail, "4:26: think.empirical[1] is 2, without a unit; " + durations},
		{head + "{sequence: [-1ms]}" + tail, "4:20: think.sequence[0] is -1ms, negative; " + durations},
		{head + "{empirical: 5}" + tail, "4:20: think.empirical is 5; " + samples},
		{head + "{empirical: {file: x.txt}}" + tail, "4:20: think.empirical is a mapping; " + samples},
		{head + "{empirical: x.txt}" + tail, "4:20: think.empirical names a file, which only a scenario or profile in a file of its own may do, and --set; want a list of durations, e.g. [1ms, 2ms]"},
		{head + "{empirical: [" + strings.Repeat("1ms,", maxSamples+1) + "]}" + tail, "4:20: think.empirical brings the samples of all laws to more than 100000; keep fewer of them"},
		{rest + "pauses: [{at: 1s, for: {sequence: [1ms]}}]\n", "5:24: pauses[0].for is a sequence, but each round draws the length of its pause by itself; want {empirical: …}"},
		{rest + single[:len(single)-2] + ", retry: {every: {empirical: [0ms]}}}\n", "5:46: lock.retry.every is always 0, which would try without end at one instant; want a duration above 0, e.g. 25ms"},
	})
}

func TestParseRefusesParts(t *testing.T) {
	checkRefusals(t, []refusal{
		{rest + "workers: 3\n", `5:1: duplicate key "workers"; give it once`},
		{rest + "lokc: none\n", `5:1: unknown key "lokc" in the document; did you mean "lock"? allowed: ` + keys},
		{rest + "zzzzzzz: 1\n", `5:1: unknown key "zzzzzzz" in the document; allowed: ` + keys},
		{rest + "crashes: [{before: enter}]\n", `5:11: crashes[0] lacks "round"; it must have: round`},
		{rest + "crashes: [{before: enter, round: 0, for: 1s}]\n", `5:37: unknown key "for" in crashes[0]; allowed: before, during, fraction, round, workers`},
		{rest + "pauses: [{before: enter, for: 1s, every: 2, round: 1}]\n", `5:10: pauses[0] has both every and round; give only one of: every, probability, round`},
		{rest + "title: 5\n", "5:8: title is 5; want a text, in quotes if it looks like a number"},
		{rest + "title:\n", "5:8: title is empty; want a text, in quotes if it looks like a number"},
		{rest + "title: \"a\\nb\"\n", "5:8: title holds a character that does not print; want one line of text"},
		{rest + "start: 2ms\n", `5:8: start is "2ms"; want a mapping with some of: spread, apart`},
		{rest + "lock: redislock\n", "5:7: lock is redislock, which takes its TTL as an argument; write {preset: redislock, ttl: DURATION}"},
		{rest + "lock: {preset: redsnyc}\n", `5:16: unknown lock.preset "redsnyc"; did you mean "redsync"? allowed: ` + strings.Join(PresetNames(), ", ")},
		{rest + "lock: {preset: redisson-watchdog, renew: {share: 0}}\n", "5:50: lock.renew.share is 0, which would try without end at one instant; want a share of the TTL, e.g. 0.5"},
		{rest + "lock: redsnyc\n", `5:7: unknown lock "redsnyc"; did you mean "redsync"? allowed: none, ` + strings.Join(PresetNames(), ", ")},
		{rest + "lock: single\n", `5:7: lock is "single" without its parameters; write {kind: single, ttl: DURATION}`},
		{rest + "lock: [none]\n", "5:7: lock is a list; want a mapping with some of: kind, ttl, retry, acquire, release, release_tries, min_hold, renew, loss, clock"},
		{rest + "lock: {}\n", `5:7: lock lacks "kind"; it must have: kind`},
		{rest + "lock: {ttl: 1s}\n", `5:7: lock lacks "kind"; it must have: kind`},
		{rest + "lock: {kind: single}\n", `5:7: lock lacks "ttl"; it must have: kind, ttl`},
		{rest + "lock: {kind: none, ttl: 1s}\n", "5:25: lock.ttl is given, but lock.kind says that there is none; leave it out"},
		{rest + "lock: {kind: quorum, stores: 5}\n", `5:7: lock lacks "ttl"; it must have: kind, ttl`},
		{rest + "lock: {kind: quorum, ttl: 1s, stores: 10}\n", "5:39: lock.stores is 10, out of bounds; want a whole number from 1 to 9"},
		{rest + "lock: {kind: quorum, ttl: 1s, ask: twice}\n", `5:36: unknown lock.ask "twice"; allowed: parallel, sequential`},
		{rest + "lock: {kind: quorum, ttl: 1s, partial: drop}\n", `5:40: unknown lock.partial "drop"; allowed: release, keep`},
		{rest + "lock: {kind: quorum, ttl: 2ms}\n", "5:27: a try has no time: lock.validity takes drift 0.01 of lock.ttl 2ms and plus 2ms off it; want less, a longer TTL, or check: false"},
		{rest + "lock: {kind: quorum, ttl: 1s, validity: {drift: 1}}\n", "5:41: a try has no time: lock.validity takes drift 1 of lock.ttl 1s and plus 2ms off it; want less, a longer TTL, or check: false"},
		{rest + "lock: {kind: quorum, ttl: 1s}\nfencing: {token: inside}\n", `6:18: fencing.token is "inside", the acquire's script, but a quorum has one at each of its stores, and their counters know nothing of each other; want before or after`},
		{rest + "lock: {kind: single, ttl: 1s, stores: 3}\n", "5:31: lock.stores is given, but the lock is at one store; leave it out, or set lock.kind to quorum"},
		{rest + "lock: {kind: [single], ttl: 1s}\n", "5:14: lock.kind is a list; want one of: none, single, quorum"},
		{rest + "lock: {kind: singel, ttl: 1s}\n", `5:14: unknown lock.kind "singel"; did you mean "single"? allowed: none, single, quorum`},
		{rest + "lock:\n  kind: single\n  ttll: 1s\n", `7:3: unknown key "ttll" in lock; did you mean "ttl"? allowed: kind, ttl, retry, acquire, release, release_tries, min_hold, renew, loss, clock`},
		{rest + "lock: {kind: single, ttl: 1s, min_hold: 2s}\n", "5:41: lock.min_hold is 2s, longer than the lease of 1s; want at most that"},
		{rest + "lock: {kind: single, ttl: 1s, release: get-del, min_hold: 1s}\n", "5:59: lock.min_hold is given, but a release by get-del does not know it; want release: compare or plain"},
		{rest + "lock: {kind: single, acquire: set-nx, min_hold: 1s}\n", "5:49: lock.min_hold is given, but the lease has no deadline that could be shortened; leave it out, or choose an acquire with one"},
		{rest + "lock: {kind: quorum, ttl: 1s, release_tries: 2}\n", "5:46: lock.release_tries is given, but a lock at several stores has none; leave it out, or choose a lock of the kind single"},
		{rest + "lock: {kind: single, ttl: 1s, renew: 300ms}\n", `5:38: lock.renew is "300ms"; want a mapping with some of: every, share, timeout, timeout_share, on_error, extend, at_most`},
		{rest + "lock: {kind: single, ttl: 1s, renew: {every: 0s}}\n", "5:46: lock.renew.every is 0, which would try without end at one instant; want a duration above 0, e.g. 300ms"},
		{rest + "lock: {kind: single, acquire: set-nx, renew: {every: 1s}}\n", "5:46: lock.renew is given, but the lease has no deadline that could be prolonged; leave it out, or choose an acquire with one"},
		{rest + "lock: {kind: quorum, ttl: 1s, renew: {every: 1s, extend: set-xx}}\n", "5:58: lock.renew.extend is set-xx, but a quorum is renewed by scripts that compare; want touch or touch-or-set"},
		{rest + "lock: {kind: quorum, ttl: 1s, acquire: set-px}\n", "5:40: lock.acquire is set-px, but a quorum asks its stores by set-nx-px or set-nx-pxat"},
		{rest + "lock: {kind: quorum, ttl: 1s, acquire: set-nx-pxat, own_key: counts}\n", "5:62: lock.own_key is counts, but the script for that sets a TTL, not a deadline by the client's clock; want refuses, or lock.acquire: set-nx-px"},
		{rest + "lock: {kind: single, ttl: 1s, acquire: set-nx-pxat, renew: {every: 1s, extend: touch-or-set}}\n", "5:80: lock.renew.extend is touch-or-set, but the script for that sets a TTL, not a deadline by the client's clock; want touch or set-xx, or lock.acquire: set-nx-px"},
		{rest + "lock: {kind: single, ttl: 1s, clock: {ahead: 1s}}\n", "5:38: lock.clock is given, but no lease ends by a client's clock; leave it out, or set lock.acquire to set-nx-pxat"},
		{rest + "lock: {kind: single, ttl: 1s, acquire: set-nx-pxat, clock: {workers: [0]}}\n", "5:60: lock.clock has none of ahead, behind; give exactly one"},
		{rest + "lock: {kind: single, ttl: 1s, acquire: set-nx-pxat, clock: {ahead: 1s, behind: 1s}}\n", "5:60: lock.clock has both ahead and behind; give only one of: ahead, behind"},
		{rest + "lock: {kind: single, ttl: 1s, acquire: set-nx-pxat, clock: {behind: 0s}}\n", "5:69: lock.clock.behind is 0, which would be a clock that is right; want a duration above 0, e.g. 300ms"},
		{rest + "lock: {kind: single, ttl: 1s, acquire: set-nx-pxat, clock: {behind: 1s, workers: [2]}}\n", "5:83: lock.clock.workers[0] is 2, out of bounds; want a whole number from 0 to 1"},
		{rest + "lock: {kind: single, ttl: 1s, loss: {learn: cancel}}\n", `5:45: lock.loss.learn is "cancel", by a renewal that fails, but there is none; want poll or deadline, or lock.renew`},
		{rest + "lock: {kind: single, ttl: 1s, loss: {learn: poll}}\n", `5:37: lock.loss lacks "every", the time between two looks; with learn: poll it must have it`},
		{rest + "lock: {kind: single, ttl: 1s, loss: {learn: deadline, every: 1s}}\n", "5:62: lock.loss.every is given, but nobody polls; leave it out, or set learn to poll"},
		{rest + "lock: {kind: single, ttl: 1s, loss: {learn: deadline, latency: 1s}}\n", "5:64: lock.loss.latency is given, but nobody is told; leave it out, or set learn to cancel"},
		{rest + "lock: {kind: single, ttl: 1s, loss: {learn: never, then: stop}}\n", `5:58: lock.loss.then is "stop", but nobody learns of a loss; want go-on, or another learn`},
		{rest + "lock: {kind: single, acquire: set-nx, loss: {learn: deadline}}\n", `5:53: lock.loss.learn is "deadline", but the lease has no deadline and is never lost; want never`},
		{rest + "pauses: [{before: enter, for: 1s, thread: maybe}]\n", `5:43: unknown pauses[0].thread "maybe"; allowed: false, true`},
		{rest + "lock: {kind: quorum, ttl: 1s}\npauses: [{before: enter, for: 1s, thread: true}]\n", "6:43: pauses[0].thread is true, but the answers of several stores are not told from those for a thread; want false, or a lock of the kind single"},
		{rest + "lock:\n  kind: single\n  ttl: 1000\n", "7:8: lock.ttl is 1000, without a unit; " + durations},
		{rest + "lock: {kind: single, ttl: 0ms}\n", "5:27: lock.ttl is 0ms; want a whole number of milliseconds above 0, e.g. 1000ms"},
		{rest + "lock: {kind: single, ttl: -1s}\n", "5:27: lock.ttl is -1s, negative; " + durations},
		{rest + "lock: {kind: single, ttl: 1500us}\n", "5:27: lock.ttl is 1500us, no whole number of milliseconds, which a lease in Redis is; want a whole number of milliseconds above 0, e.g. 1000ms"},
		{rest + "lock: {kind: single, ttl: 1s, acquire: set-nx}\n", `5:27: lock.ttl is given, but lock.acquire sets no deadline: the lease lasts until it is deleted; leave it out`},
		{rest + "lock: {kind: single, acquire: set-px}\n", `5:7: lock lacks "ttl"; it must have: kind, ttl`},
		{rest + "lock: {kind: single, ttl: 1s, acquire: setnx}\n", `5:40: unknown lock.acquire "setnx"; did you mean "set-nx"? allowed: set-nx-px, set-px, set-nx, setnx-expire, set-nx-pxat`},
		{rest + "lock: {kind: single, ttl: 1s, acquire: set-px}\nfencing: {token: inside}\n", `6:18: fencing.token is "inside", but the script that issues the token takes the lease by SET NX PX; want before or after, or lock.acquire: set-nx-px`},
		{rest + "lock: {kind: single, ttl: 1s, release: del}\n", `5:40: unknown lock.release "del"; allowed: compare, plain, get-del`},
		{rest + "lock: {kind: single, ttl: 1s, retry: {every: 0ms}}\n", "5:46: lock.retry.every is always 0, which would try without end at one instant; want a duration above 0, e.g. 25ms"},
		{rest + "lock: {kind: single, ttl: 1s, retry: {every: {uniform: [0ms, 0ms]}}}\n", "5:46: lock.retry.every is always 0, which would try without end at one instant; want a duration above 0, e.g. 25ms"},
		{rest + "lock: {kind: single, ttl: 1s, retry: {backoff: {most: 1s}}}\n", `5:48: lock.retry.backoff lacks "factor"; it must have: factor`},
		{rest + "lock: {kind: single, ttl: 1s, retry: {backoff: {factor: 0.5}}}\n", "5:57: lock.retry.backoff.factor is 0.5, out of bounds; want a number from 1 to 1000"},
		{rest + "lock: {kind: single, ttl: 1s, retry: {backoff: {factor: nan}}}\n", "5:57: lock.retry.backoff.factor is nan, out of bounds; want a number from 1 to 1000"},
		{rest + "lock: {kind: single, ttl: 1s, retry: {backoff: {factor: many}}}\n", `5:57: lock.retry.backoff.factor is "many"; want a number from 1 to 1000`},
		{rest + "lock: {kind: single, ttl: 1s, retry: {tries: -1}}\n", "5:46: lock.retry.tries is -1, out of bounds; want a whole number from 0 to 1000000000"},
		{rest + "lock: {kind: single, ttl: 1s, retry: {wake: pubish}}\n", `5:45: unknown lock.retry.wake "pubish"; did you mean "publish"? allowed: none, publish, fifo`},
		{rest + "lock: {kind: single, ttl: 1s, retry: {lost: 0.1}}\n", `5:45: lock.retry.lost is given, but there are no messages that could be lost; leave it out, or set wake to publish or fifo`},
		{rest + "lock: {kind: single, ttl: 1s, retry: {wake: publish, lost: 2}}\n", `5:60: lock.retry.lost is 2, out of bounds; want a number from 0 to 1`},
		{rest + "lock: {kind: single, ttl: 1s, retry: {wake: publish, every: 25ms}}\n", `5:61: lock.retry.every is given, but with wake: publish nobody sleeps between tries: who is refused waits for a message or the end of the lease; leave it out`},
		{rest + "lock: {kind: single, ttl: 1s, retry: {wake: publish, queue_timeout: 1s}}\n", `5:69: lock.retry.queue_timeout is given, but nobody waits in a queue; leave it out, or set wake to fifo`},
		{rest + "lock: {kind: single, ttl: 1s, retry: {wake: fifo, queue_timeout: 1us}}\n", `5:66: lock.retry.queue_timeout is 1us, but the store counts whole milliseconds; want e.g. 300ms`},
		{rest + "lock: {kind: quorum, ttl: 1s, retry: {wake: publish}}\n", `5:45: lock.retry.wake is publish, but a quorum's stores tell nobody of releases; want none`},
		{rest + "lock: {kind: single, acquire: set-nx, retry: {wake: publish}}\n", `5:53: lock.retry.wake is publish, but the script that tells a refused client what is left of the lease takes it by SET NX PX; want none, or lock.acquire: set-nx-px`},
		{rest + "lock: {kind: single, ttl: 1s, release: plain, retry: {wake: fifo}}\n", `5:61: lock.retry.wake is fifo, but the script that tells the waiters of a release compares; want none, or lock.release: compare`},
		{rest + "lock: {kind: single, ttl: 1s, min_hold: 1s, retry: {wake: fifo}}\n", "5:41: lock.min_hold is given, but the scripts that tell the waiters of releases have none; leave it out, or set lock.retry.wake to none"},
		{rest + "lock: {kind: single, ttl: 1s, retry: {wake: fifo}}\nfencing: {token: inside}\n", `6:18: fencing.token is "inside", but the script of a lock that is acquired in turn issues no token; want before or after, or lock.retry.wake: publish`},
		{rest + "fencing: {check: start}\n", `5:18: fencing.check is "start", but there is no token to check; set fencing.token to before, after or inside`},
		{rest + "fencing: {token: inside}\n", `5:18: fencing.token is "inside", the acquire's script, but there is no lock to acquire; want before or after, or a lock`},
		{rest + single + "fencing: {token: after, check: both, reject: below-or-equal}\n", `6:46: fencing.reject is "below-or-equal" with both checks: a worker's commit would be rejected because of its own first check; want "below", or one check`},
		{rest + "fencing: {token: afterwards}\n", `5:18: unknown fencing.token "afterwards"; allowed: none, before, after, inside`},
		{rest + "resource: {kind: job, amount: 5}\n", `5:31: resource.amount is given, but only a balance has it; leave it out`},
		{rest + "resource: {kind: job, update: atomic}\n", `5:31: unknown resource.update "atomic"; allowed: plain, idempotent, transaction, partition`},
		{rest + "resource: {kind: balance, amount: 0}\n", `5:35: resource.amount is 0, out of bounds; want a whole number from 1 to 1000000`},
		{rest + "resource: {kind: balance, update: atomic}\nfencing: {token: before, check: commit}\n", `6:10: fencing has a check at the commit, but the update "atomic" of the resource has no room for one, and needs no lock; want update plain, or no check at the commit`},
		{rest + "fencing: {token: before, check: start, first: 9007199254740990}\n", `5:10: fencing lets tokens grow to 9007199254741070, above 2^53 = 9007199254740992: Redis compares them in Lua, whose numbers are doubles, so two holders' tokens would look equal there, and the check would accept both; want a lower fencing.first`},
		{rest + "resource: {kind: none, update: plain}\n", `5:32: resource.update is given, but resource.kind says that there is none; leave it out`},
		{rest + "resource: {kind: jobs}\n", `5:18: unknown resource.kind "jobs"; did you mean "job"? allowed: none, balance, job`},
		{rest + "resource: {}\n", `5:11: resource lacks "kind"; it must have: kind`},
		{rest + "pauses: {before: enter, for: 1s}\n", "5:9: pauses is a mapping; want a list of pauses"},
		{rest + "pauses:\n  - {for: 1s}\n", "6:5: pauses[0] has none of before, during, at; give exactly one"},
		{rest + "pauses:\n  - {before: enter, at: 1s, for: 1s}\n", "6:5: pauses[0] has both before and at; give only one of: before, during, at"},
		{rest + "pauses:\n  - before: acquire\n    for: 1s\n", `6:13: pauses[0].before is "acquire", a step that a round of this scenario does not have; allowed: enter, work, leave, think`},
		{rest + "pauses: [{before: entre, for: 1s}]\n", `5:19: unknown step "entre" in pauses[0].before; did you mean "enter"? allowed: enter, work, leave, think`},
		{rest + "pauses: [{before: enter}]\n", `5:10: pauses[0] lacks "for"; it must have: for`},
		{rest + "pauses: [{before: enter, for: 1s, fraction: 0.5}]\n", "5:45: pauses[0].fraction is given, but the pause is not during work or think; leave it out"},
		{rest + "pauses: [{during: work, for: 1s, fraction: 1.5}]\n", "5:44: pauses[0].fraction is 1.5, out of bounds; want a number from 0 to 1"},
		{rest + "pauses: [{before: enter, for: 1s, every: 2, probability: 0.5}]\n", "5:10: pauses[0] has both every and probability; give only one of: every, probability, round"},
		{rest + "pauses: [{before: enter, for: 1s, every: -1}]\n", "5:42: pauses[0].every is -1, out of bounds; want a whole number from 1 to 1000000"},
		{rest + "pauses: [{before: enter, for: 1s, probability: 2}]\n", "5:48: pauses[0].probability is 2, out of bounds; want a number from 0 to 1"},
		{rest + "pauses: [{at: 1s, for: 1s, every: 1}]\n", "5:35: pauses[0].every is given, but a pause at a time hits once; leave it out"},
		{rest + "pauses: [{before: enter, for: 1s, workers: [2]}]\n", "5:45: pauses[0].workers[0] is 2, out of bounds; want a whole number from 0 to 1"},
		{rest + "pauses: [{before: enter, for: 1s, workers: []}]\n", "5:44: pauses[0].workers has length 0; want at least 1 workers"},
		{rest + "pauses: [{before: enter, for: 1s, workers: [1, 1]}]\n", "5:48: pauses[0].workers[1] is 1, which the list has already; give each worker once"},
		{rest + "pauses: [{before: enter, for: 1s, workers: 1}]\n", "5:44: pauses[0].workers is 1; want all, or a list of workers, e.g. [0, 1]"},
		{rest + "pauses: [5]\n", "5:10: pauses[0] is 5; want a mapping with some of: before, during, at, for, fraction, every, probability, round, thread, workers"},
		{rest + "delay: {netwrok: 1ms}\n", `5:9: unknown key "netwrok" in delay; did you mean "network"? allowed: network, timer`},
		{rest + "published: {entries: 80}\n", `5:12: published lacks "conflicts"; it must have: entries, conflicts`},
		{rest + "published: {entries: 80, conflicts: 81}\n", "5:37: published.conflicts is 81, out of bounds; want a whole number from 0 to 80"},
		{rest + "published:\n", "5:12: published is empty; want a mapping with some of: entries, conflicts, rejected_writes"},
	})
}

func TestParseIsQuickOnHostileInput(t *testing.T) {
	const size = 1 << 18
	for name, data := range map[string]string{
		"flow lists":     strings.Repeat("[", size),
		"flow mappings":  strings.Repeat("{a: ", size/4),
		"block lists":    strings.Repeat("- ", size/2),
		"list, mappings": strings.Repeat("- a: ", size/5),
		"keys":           strings.Repeat("a:\n", size/3),
		"indentation":    indented(1400),
		"colons":         strings.Repeat("a: ", size/3),
		"quotes":         strings.Repeat("'", size),
		"lines":          "a: \"" + strings.Repeat("x\n", size/4),
		"comments":       strings.Repeat("#\n", size/2),
		"documents":      strings.Repeat("---\n", size/4),
		"literal":        "a: |\n" + strings.Repeat(" x\n", size/4),
		"commas":         "[" + strings.Repeat("1,", size/2),
		"items":          strings.Repeat("- 1\n", size/4),
		"too long":       strings.Repeat("a", maxBytes+1),
	} {
		start := time.Now()
		if _, err := Parse("x.yaml", []byte(data)); err == nil {
			t.Errorf("%s: no error", name)
		}
		if took := time.Since(start); took > 5*time.Second {
			t.Errorf("%s: took %v", name, took)
		}
	}
}

func indented(depth int) string {
	var out strings.Builder
	for i := range depth {
		out.WriteString(strings.Repeat(" ", i) + "a:\n")
	}
	return out.String()
}
