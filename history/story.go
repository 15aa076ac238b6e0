package history

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
)

// Sort orders events by time; at one time, by what the tie was found in. Events of one run that were collected from
// several workers, or with truth among them, become one story by this.
func Sort(events []Event) {
	slices.SortStableFunc(events, func(a, b Event) int { return cmp.Compare(a.At, b.At) })
}

// WriteStory tells a run event by event, one line each: the time, who, and what happened. The refused tries of an acquire
// are told as one line, when it ends. Events must be sorted.
func WriteStory(w io.Writer, events []Event) error {
	out := bufio.NewWriter(w)
	refused := make(map[int32]int)
	for i := range events {
		e := &events[i]
		if e.Kind == Refused {
			refused[e.Worker]++
			continue
		}
		if n := refused[e.Worker]; n > 0 && (e.Kind == Acquired || e.Kind == GaveUp || e.Kind == Never) {
			fmt.Fprintf(out, "%12.3f ms  worker %d  was refused %s\n", milliseconds(e.At), e.Worker, timesInWords(n))
			refused[e.Worker] = 0
		}
		fmt.Fprintf(out, "%12.3f ms  %s\n", milliseconds(e.At), sentence(e))
	}
	return out.Flush()
}

func timesInWords(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

func milliseconds(ns int64) float64 { return float64(ns) / 1e6 }

// sentence says what happened: the workers' own view, and after "|" the truth that none of them knows.
func sentence(e *Event) string {
	if e.Kind.IsTruth() {
		return fmt.Sprintf("        |  %s", truth(e))
	}
	return fmt.Sprintf("worker %d  %s", e.Worker, view(e))
}

func truth(e *Event) string {
	switch e.Kind {
	case Granted:
		if e.Stores > 0 {
			return fmt.Sprintf("hold %d is granted to worker %d by %s, which is a majority; it lasts %.3f ms or longer", e.Order, e.Worker, stores(e), milliseconds(e.For))
		}
		return granted(e)
	case Freed:
		if e.Stores > 0 {
			return fmt.Sprintf("hold %d is over: released by worker %d, and fewer than %s keep it", e.Order, e.Worker, stores(e))
		}
		return fmt.Sprintf("the store ends hold %d: released by worker %d", e.Order, e.Worker)
	case Expired:
		return fmt.Sprintf("hold %d of worker %d is over: its lease has ended", e.Order, e.Worker)
	case Overwritten:
		return fmt.Sprintf("hold %d of worker %d is over: its lease was OVERWRITTEN", e.Order, e.Worker)
	case FreedByOther:
		return fmt.Sprintf("the store ends hold %d: DELETED by worker %d, whose it is not", e.Order, e.Worker)
	case Prolonged:
		return fmt.Sprintf("the lease of hold %d of worker %d now ends in %.3f ms", e.Order, e.Worker, milliseconds(e.For))
	case LateWrite:
		return fmt.Sprintf("late write: hold %d of worker %d was over", e.Order, e.Worker)
	case StaleWrite:
		return fmt.Sprintf("stale write: a later hold than %d of worker %d has written", e.Order, e.Worker)
	case StaleAccepted:
		return fmt.Sprintf("the stale write of worker %d is ACCEPTED", e.Worker)
	case TokenDisorder:
		return fmt.Sprintf("token %d of worker %d is AGAINST THE ORDER of grants", e.Token, e.Worker)
	case FalseBelief:
		return fmt.Sprintf("worker %d was wrong about hold %d for %.3f ms", e.Worker, e.Order, milliseconds(e.For))
	}
	return e.Kind.String()
}

func granted(e *Event) string {
	text := fmt.Sprintf("the store grants hold %d to worker %d; the lease ", e.Order, e.Worker)
	switch {
	case e.For == 0:
		return text + "has no deadline"
	case e.For < 0:
		return text + fmt.Sprintf("ENDED %.3f ms ago", milliseconds(-e.For))
	}
	return text + fmt.Sprintf("ends in %.3f ms", milliseconds(e.For))
}

func view(e *Event) string {
	switch e.Kind {
	case Asked:
		return fmt.Sprintf("round %d: asks for the lock", e.Round)
	case Acquired:
		return fmt.Sprintf("has the lock%s, after %.3f ms%s", atStores(e), milliseconds(e.For), withToken(", ", e))
	case GaveUp:
		return fmt.Sprintf("gives up, after %.3f ms", milliseconds(e.For))
	case Never:
		return fmt.Sprintf("WAITS FOR EVER: it has waited %.3f ms for a lock that nobody will free", milliseconds(e.For))
	case TokenDrawn:
		return fmt.Sprintf("draws token %d", e.Token)
	case Entered:
		return entered(e)
	case WorkBegan:
		return "works"
	case WorkEnded:
		return "has done its work"
	case Accepted:
		return fmt.Sprintf("its write%s is accepted at the %s", withToken(" ", e), checkName(e))
	case Rejected:
		return fmt.Sprintf("its write with token %d is REJECTED at the %s", e.Token, checkName(e))
	case Left:
		return "is outside"
	case Releasing:
		return "releases the lock"
	case Released:
		return "has released it"
	case Lost:
		return "finds that the lock was NOT ITS OWN any more"
	case Renewed:
		return "has prolonged its lease" + atStores(e)
	case RenewalFailed:
		if e.Stores > 0 {
			return fmt.Sprintf("has prolonged its lease%s, too few or too late: its renewal has failed", atStores(e))
		}
		return "has waited long enough for its renewal"
	case RenewalLost:
		return "finds at its renewal that the lock was NOT ITS OWN any more"
	case LostAgain:
		return "finds the lock not its own, as its renewal had"
	case Learned:
		return "LEARNS that it no longer holds the lock"
	case ThreadStopping:
		return fmt.Sprintf("sleeps for %.3f ms at its step %s: the thread, not the process", milliseconds(e.For), e.Step)
	case ThreadResumed:
		return "has slept"
	case Stopping:
		return fmt.Sprintf("is stopped for %.3f ms at its step %s", milliseconds(e.For), e.Step)
	case Resumed:
		return "runs again"
	case Crashed:
		return fmt.Sprintf("dies at its step %s", e.Step)
	case Removed:
		return "is known to be dead, and outside"
	case HasRead:
		return fmt.Sprintf("has read %d", e.Value)
	case Claimed:
		return "has claimed its job"
	case Skipped:
		return skipped(e)
	case Committed:
		return "its update is accepted: nobody else wrote meanwhile"
	case Retried:
		return fmt.Sprintf("its update is refused, since somebody else wrote meanwhile; it begins again, %.3f ms for nothing", milliseconds(e.For))
	case LostUpdate:
		return fmt.Sprintf("its write came from an old value: UPDATE LOST, %s", others(e.Value))
	case DoneTwice:
		return fmt.Sprintf("its job had been done before: DONE TWICE%s", more(e.Value))
	case Finished:
		return "has finished its rounds"
	}
	return e.Kind.String()
}

func stores(e *Event) string {
	if e.Stores == 1 {
		return "1 store"
	}
	return fmt.Sprintf("%d stores", e.Stores)
}

// atStores names how many stores it were, if there are several.
func atStores(e *Event) string {
	if e.Stores == 0 {
		return ""
	}
	return " at " + stores(e)
}

// withToken names the event's token, if it has one, after a separator.
func withToken(separator string, e *Event) string {
	if e.Token == 0 {
		return ""
	}
	return fmt.Sprintf("%swith token %d", separator, e.Token)
}

func entered(e *Event) string {
	if e.Inside > 1 {
		return fmt.Sprintf("is inside: CONFLICT, %d are", e.Inside)
	}
	return "is inside"
}

// skipped says why a job is not done by the worker.
func skipped(e *Event) string {
	why := "its job is claimed by somebody else; it leaves it to them"
	if e.Value > 0 {
		why = "its job has been done; it takes that result"
	}
	if e.For > 0 {
		why += fmt.Sprintf(", %.3f ms for nothing", milliseconds(e.For))
	}
	return why
}

// others says how many writes were overwritten.
func others(n int64) string {
	if n == 1 {
		return "one write since then is gone"
	}
	return fmt.Sprintf("%d writes since then are gone", n)
}

// more says how often a job had been done, if more than once.
func more(n int64) string {
	if n < 2 {
		return ""
	}
	return fmt.Sprintf(", now %d times", n+1)
}

func checkName(e *Event) string {
	if e.Step == Check {
		return "start"
	}
	return "commit"
}
