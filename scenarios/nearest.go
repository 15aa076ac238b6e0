package scenarios

import (
	"slices"
	"strings"
)

// Nearest is the candidate that name was probably meant to be, or "" if none is near: at most a third of its
// letters, rounded up, may be missing, added or wrong; case does not matter.
func Nearest(name string, candidates []string) string {
	best, least := "", 0
	for _, c := range candidates {
		d := distance(strings.ToLower(name), strings.ToLower(c))
		if d <= (len(c)+2)/3 && (best == "" || d < least) {
			best, least = c, d
		}
	}
	return best
}

// distance is the number of bytes to insert, delete or replace to get from a to b. Names that differ much in
// length are not compared in full.
func distance(a, b string) int {
	if longer := max(len(a), len(b)); longer > 2*len(b)+2 {
		return longer
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replace := diagonal
			if a[i] != b[j] {
				replace++
			}
			diagonal = row[j+1]
			row[j+1] = min(replace, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}

// didYouMean is the part of a message that suggests the nearest of the candidates, with a question mark and a
// space, or "".
func didYouMean(name string, candidates ...[]string) string {
	if near := Nearest(name, slices.Concat(candidates...)); near != "" {
		return `did you mean "` + near + `"? `
	}
	return ""
}
