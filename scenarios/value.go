package scenarios

import (
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// whole decodes a whole number of [least, most].
func (d *decoder) whole(n *node, least, most int64) int64 {
	if d.skip(n) {
		return 0
	}
	v, err := strconv.ParseInt(n.text, 10, 64)
	if !n.isScalar() || n.quoted || (err == nil && strconv.FormatInt(v, 10) != n.text) || notANumber(err) {
		d.fail(n, "is %s; want a whole number from %d to %d", n.show(), least, most)
		return 0
	}
	if err != nil || v < least || v > most {
		d.fail(n, "is %s, out of bounds; want a whole number from %d to %d", n.show(), least, most)
		return 0
	}
	return v
}

// notANumber reports whether strconv failed for another reason than the size of the number.
func notANumber(err error) bool {
	return err != nil && !strings.Contains(err.Error(), strconv.ErrRange.Error())
}

// number decodes a number of [least, most].
func (d *decoder) number(n *node, least, most float64) float64 {
	if d.skip(n) {
		return 0
	}
	v, err := strconv.ParseFloat(n.text, 64)
	if !n.isScalar() || n.quoted || notANumber(err) || strings.ContainsAny(n.text, "xX_") {
		d.fail(n, "is %s; want a number from %s to %s", n.show(), formatNumber(least), formatNumber(most))
		return 0
	}
	if !(v >= least && v <= most) {
		d.fail(n, "is %s, out of bounds; want a number from %s to %s", shorten(n.text), formatNumber(least), formatNumber(most))
		return 0
	}
	if v == 0 {
		return 0 // never -0
	}
	return v
}

func formatNumber(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// text decodes one line of printable characters.
func (d *decoder) text(n *node) string {
	const longest = 400
	if d.skip(n) {
		return ""
	}
	if n.kind != textNode {
		d.fail(n, "is %s; want a text, in quotes if it looks like a number", n.show())
		return ""
	}
	if utf8.RuneCountInString(n.text) > longest {
		d.fail(n, "is longer than %d characters; shorten it", longest)
		return ""
	}
	if strings.ContainsFunc(n.text, func(r rune) bool { return !unicode.IsPrint(r) }) {
		d.fail(n, "holds a character that does not print; want one line of text")
		return ""
	}
	return n.text
}

var identifierForm = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]*([./][A-Za-z0-9][A-Za-z0-9_-]*)*$`)

// identifier decodes a name that can be part of the name of a file.
func (d *decoder) identifier(n *node) string {
	name := d.text(n)
	if !d.skip(n) && (len(name) > 100 || !identifierForm.MatchString(name)) {
		d.fail(n, "is %s; want a name of up to 100 letters, digits, - and _, with single / or . between parts", n.show())
	}
	return name
}
