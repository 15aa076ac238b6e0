package page

import "regexp"

// number is what is taken out of a sentence.
var number = regexp.MustCompile(`[0-9]+(\.[0-9]+)?`)

// takeNumbers is the sentence with a # for each of its numbers, and these in their order. A sentence has no # of its own.
func takeNumbers(text string) (form string, values []string) {
	form = number.ReplaceAllStringFunc(text, func(n string) string {
		values = append(values, n)
		return "#"
	})
	return form, values
}
