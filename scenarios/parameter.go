package scenarios

import (
	"fmt"
	"maps"
	"math/big"
	"regexp"
	"slices"
	"strings"
)

// A parameterKind says what the values of a parameter are.
type parameterKind uint8

const (
	durationKind parameterKind = iota + 1 // whole nanoseconds
	leaseKind                             // a duration of whole milliseconds
	wholeKind                             // whole numbers
	numberKind                            // decimal numbers
)

// parameterKinds are the parameters that an axis can move along, by path; [] stands for any number.
var parameterKinds = func() map[string]parameterKind {
	kinds := map[string]parameterKind{
		"workers": wholeKind, "rounds": wholeKind,
		"start.spread": durationKind, "start.apart": durationKind,
		"lock.ttl":           leaseKind,
		"lock.release_tries": wholeKind, "lock.min_hold": durationKind,
		"lock.renew.every": durationKind, "lock.renew.share": numberKind, "lock.renew.timeout": durationKind, "lock.renew.at_most": durationKind,
		"lock.loss.every": durationKind, "lock.loss.latency": durationKind,
		"lock.clock.ahead": durationKind, "lock.clock.behind": durationKind,
		"lock.stores": wholeKind, "lock.timeout": durationKind, "lock.validity.drift": numberKind, "lock.validity.plus": durationKind,
		"lock.retry.backoff.factor": numberKind, "lock.retry.backoff.most": durationKind,
		"lock.retry.tries": wholeKind, "lock.retry.longest": durationKind,
		"lock.retry.lost": numberKind, "lock.retry.queue_timeout": leaseKind,
		"resource.amount": wholeKind, "resource.opening": wholeKind,
		"pauses[].at": durationKind, "pauses[].fraction": numberKind,
		"pauses[].every": wholeKind, "pauses[].probability": numberKind, "pauses[].round": wholeKind,
		"crashes[].round": wholeKind, "crashes[].fraction": numberKind,
	}
	for _, law := range []string{"work", "work.cpu", "think", "lock.retry.every", "pauses[].for", "delay.network", "delay.timer"} {
		for _, part := range []string{"", ".exponential", ".uniform[]"} {
			kinds[law+part] = durationKind
		}
	}
	return kinds
}()

// shortNames are names of parameters that are often set or moved along.
var shortNames = map[string]string{
	"ttl": "lock.ttl", "retry": "lock.retry.every", "tries": "lock.retry.tries", "pause": "pauses[0].for",
	"probability": "pauses[0].probability", "network": "delay.network", "timer": "delay.timer", "spread": "start.spread",
	"apart": "start.apart",
}

// ShortName is the short name of a parameter, or its path if it has none.
func ShortName(path string) string {
	for short, long := range shortNames {
		if long == path {
			return short
		}
	}
	return path
}

var itemNumber = regexp.MustCompile(`\[[0-9]+\]`)

// parameterOf is the path of a parameter that is given by its path or short name, and what its values are.
func parameterOf(name string) (path string, kind parameterKind, err error) {
	path = name
	if long := shortNames[name]; long != "" {
		path = long
	}
	if _, err := splitPath(path); err != nil {
		return "", 0, err
	}
	kind = parameterKinds[itemNumber.ReplaceAllLiteralString(path, "[]")]
	if kind == 0 {
		short, long := slices.Sorted(maps.Keys(shortNames)), slices.Sorted(maps.Keys(parameterKinds))
		return "", 0, fmt.Errorf("%q is no parameter with numbers or durations as values; %sallowed: %s, %s", shorten(name),
			didYouMean(name, short, long), strings.Join(short, ", "), strings.Join(slices.DeleteFunc(long, isPartOfLaw), ", "))
	}
	return path, kind, nil
}

func isPartOfLaw(path string) bool {
	return strings.HasSuffix(path, ".exponential") || strings.HasSuffix(path, ".uniform[]")
}

// read is a value of the kind: a duration in nanoseconds, or a number.
func (k parameterKind) read(text string) (*big.Rat, error) {
	number, unit, ok := splitDuration(text)
	switch {
	case k.isDuration() && !ok:
		return nil, fmt.Errorf("%q is not a duration; %s", shorten(text), allowedDurations)
	case k.isDuration() && unit == "":
		return nil, fmt.Errorf("%s is without a unit; %s", text, allowedDurations)
	case k.isDuration() && unitsByName[unit] == 0:
		return nil, fmt.Errorf("%s is of the unknown unit %q; %s", text, unit, allowedDurations)
	case !k.isDuration() && ok && unitsByName[unit] != 0:
		return nil, fmt.Errorf("%s is a duration; want a number without a unit", text)
	case !k.isDuration() && (!ok || unit != ""):
		return nil, fmt.Errorf("%q is not a number; want one like 10 or 0.25", shorten(text))
	}
	v, _ := new(big.Rat).SetString(number)
	if v.Sign() < 0 {
		return nil, fmt.Errorf("%s is negative; want a value of at least 0", text)
	}
	if k == wholeKind && !v.IsInt() {
		return nil, fmt.Errorf("%s is no whole number", text)
	}
	if k.isDuration() {
		v.Mul(v, new(big.Rat).SetInt64(unitsByName[unit]))
	}
	return v, nil
}

func (k parameterKind) isDuration() bool { return k == durationKind || k == leaseKind }

// significantDigits is to how many digits a computed number is rounded.
const significantDigits = 6

// round is the nearest value that the parameter can have, for one that was computed; half is rounded up.
func (k parameterKind) round(v *big.Rat) *big.Rat {
	switch k {
	case leaseKind:
		return roundTo(v, big.NewInt(millisecond))
	case numberKind:
		text := new(big.Float).SetPrec(workPrecision).SetRat(v).Text('e', significantDigits-1)
		rounded, _ := new(big.Rat).SetString(text)
		return rounded
	}
	return roundTo(v, big.NewInt(1))
}

// roundTo is the multiple of unit that is nearest to v, at least 0; half is rounded up.
func roundTo(v *big.Rat, unit *big.Int) *big.Rat {
	// floor((2v + unit) / 2unit) units
	twice := new(big.Rat).Add(new(big.Rat).Add(v, v), new(big.Rat).SetInt(unit))
	twice.Quo(twice, new(big.Rat).SetInt(new(big.Int).Add(unit, unit)))
	whole := new(big.Int).Quo(twice.Num(), twice.Denom())
	return new(big.Rat).SetInt(whole.Mul(whole, unit))
}

// write is a value as the scenario's file has it.
func (k parameterKind) write(v *big.Rat) (string, error) {
	switch {
	case !k.isDuration():
		return trimZeros(v.FloatString(20)), nil
	case v.Cmp(new(big.Rat).SetInt64(longestDuration)) > 0:
		return "", fmt.Errorf("%s ns is more than a day; %s", v.FloatString(0), allowedDurations)
	case !v.IsInt():
		return "", fmt.Errorf("%s ns is not a whole number of nanoseconds", trimZeros(v.FloatString(20)))
	}
	return formatDuration(v.Num().Int64()), nil
}

func trimZeros(decimal string) string {
	return strings.TrimSuffix(strings.TrimRight(decimal, "0"), ".")
}

// canonical is a value that was set, with a duration in the unit that locklab writes, so that runs of one scenario are
// known to be such, whoever wrote 1s and who 1000ms.
func canonical(value string) string {
	if ns, ok := DurationNS(value); ok {
		return formatDuration(ns)
	}
	return value
}

// DurationNS is the duration, in nanoseconds, that a scenario's value says, e.g. 300ms. ok is false if it is none.
func DurationNS(value string) (ns int64, ok bool) {
	number, name, ok := splitDuration(value)
	unit := unitsByName[name]
	if !ok || unit == 0 {
		return 0, false
	}
	ns, mistake := nanoseconds(number, unit)
	return ns, mistake == ""
}
