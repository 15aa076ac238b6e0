package scenarios

import (
	"fmt"
	"math/big"
	"regexp"
	"strconv"
)

// Units of time, in nanoseconds.
const (
	microsecond = 1000
	millisecond = 1000 * microsecond
	second      = 1000 * millisecond
	minute      = 60 * second
	hour        = 60 * minute
)

// longestDuration bounds every duration of a scenario, so that sums of them cannot overflow.
const longestDuration = 24 * hour

var (
	durationForm = regexp.MustCompile(`^(-?[0-9]{1,20}(?:\.[0-9]{1,20})?)(\pL{0,20})$`)
	unitsByName  = map[string]int64{
		"ns": 1, "us": microsecond, "\u00b5s": microsecond, "\u03bcs": microsecond, // micro sign, Greek mu
		"ms": millisecond, "s": second, "m": minute, "h": hour,
	}
)

// allowedDurations is the part of a message that says what a duration is.
const allowedDurations = "want a number with a unit, e.g. 300ms (units: ns, us, ms, s, m, h; from 0 to 24h)"

// duration decodes a duration, in nanoseconds.
func (d *decoder) duration(n *node) int64 {
	if d.skip(n) {
		return 0
	}
	ns, wrong := parseDuration(n)
	if wrong != "" {
		d.fail(n, "%s", wrong)
	}
	return ns
}

// parseDuration is the duration that a node holds, in nanoseconds, or what is wrong with it.
func parseDuration(n *node) (ns int64, wrong string) {
	parts := durationForm.FindStringSubmatch(n.text)
	if !n.isScalar() || parts == nil {
		return 0, fmt.Sprintf("is %s, not a duration; %s", n.show(), allowedDurations)
	}
	if parts[2] == "" {
		return 0, fmt.Sprintf("is %s, without a unit; %s", n.text, allowedDurations)
	}
	unit := unitsByName[parts[2]]
	if unit == 0 {
		return 0, fmt.Sprintf("is %s, of the unknown unit %q; %s", n.text, parts[2], allowedDurations)
	}
	if whole, err := strconv.ParseInt(parts[1], 10, 64); err == nil && whole >= 0 && whole <= longestDuration/unit {
		return whole * unit, ""
	}
	ns, mistake := nanoseconds(parts[1], unit)
	if mistake != "" {
		return 0, fmt.Sprintf("is %s, %s; %s", n.text, mistake, allowedDurations)
	}
	return ns, ""
}

// nanoseconds is a decimal number of units, exactly, or what is wrong with it.
func nanoseconds(number string, unit int64) (ns int64, mistake string) {
	exact, _ := new(big.Rat).SetString(number)
	exact.Mul(exact, new(big.Rat).SetInt64(unit))
	switch {
	case exact.Sign() < 0:
		return 0, "negative"
	case exact.Cmp(new(big.Rat).SetInt64(longestDuration)) > 0:
		return 0, "more than a day"
	case !exact.IsInt():
		return 0, "not a whole number of nanoseconds"
	}
	return exact.Num().Int64(), ""
}

// positive decodes a duration above 0.
func (d *decoder) positive(n *node) int64 {
	v := d.duration(n)
	if !d.skip(n) && v == 0 {
		d.fail(n, "is %s; want a duration above 0, e.g. 300ms", n.text)
	}
	return v
}

// formatDuration writes a duration in the largest unit in which it is a whole number.
func formatDuration(ns int64) string {
	switch {
	case ns == 0:
		return "0ms"
	case ns%second == 0:
		return strconv.FormatInt(ns/second, 10) + "s"
	case ns%millisecond == 0:
		return strconv.FormatInt(ns/millisecond, 10) + "ms"
	case ns%microsecond == 0:
		return strconv.FormatInt(ns/microsecond, 10) + "us"
	}
	return strconv.FormatInt(ns, 10) + "ns"
}

func durationNode(ns int64) *node { return plain(formatDuration(ns)) }
