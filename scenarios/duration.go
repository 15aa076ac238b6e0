package scenarios

import (
	"fmt"
	"math/big"
	"regexp"
	"strconv"
	"strings"
	"unicode"
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
	decimalForm = regexp.MustCompile(`^-?[0-9]{1,20}(\.[0-9]{1,20})?$`)
	unitsByName = map[string]int64{
		"ns": 1, "us": microsecond, "\u00b5s": microsecond, "\u03bcs": microsecond, // micro sign, Greek mu
		"ms": millisecond, "s": second, "m": minute, "h": hour,
	}
)

// splitDuration splits a text into a decimal number and the letters after it, which may be none. ok is false if it is not
// made so.
func splitDuration(text string) (number, unit string, ok bool) {
	end := strings.IndexFunc(text, unicode.IsLetter)
	if end < 0 {
		end = len(text)
	}
	number, unit = text[:end], text[end:]
	foreign := func(r rune) bool { return !unicode.IsLetter(r) }
	return number, unit, len(unit) <= 20 && !strings.ContainsFunc(unit, foreign) && (isDigits(number) || decimalForm.MatchString(number))
}

// isDigits reports whether a text is a whole number of up to 15 digits, as most are.
func isDigits(text string) bool {
	for i := range len(text) {
		if text[i] < '0' || text[i] > '9' {
			return false
		}
	}
	return text != "" && len(text) <= 15
}

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
	number, name, ok := splitDuration(n.text)
	if !n.isScalar() || !ok {
		return 0, fmt.Sprintf("is %s, not a duration; %s", n.show(), allowedDurations)
	}
	if name == "" {
		return 0, fmt.Sprintf("is %s, without a unit; %s", n.text, allowedDurations)
	}
	unit := unitsByName[name]
	if unit == 0 {
		return 0, fmt.Sprintf("is %s, of the unknown unit %q; %s", n.text, name, allowedDurations)
	}
	ns, mistake := nanoseconds(number, unit)
	if mistake != "" {
		return 0, fmt.Sprintf("is %s, %s; %s", n.text, mistake, allowedDurations)
	}
	return ns, ""
}

// nanoseconds is a decimal number of units, exactly, or what is wrong with it.
func nanoseconds(number string, unit int64) (ns int64, mistake string) {
	if whole, err := strconv.ParseInt(number, 10, 64); err == nil && whole >= 0 && whole <= longestDuration/unit {
		return whole * unit, ""
	}
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
