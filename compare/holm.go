package compare

import "slices"

// holm says which of the hypotheses with the given p are rejected so that the chance of rejecting any true one is at
// most level: the smallest p is held against level/m, the next against level/(m−1), and so on up to the first that
// is larger than its bound (Holm, Scandinavian Journal of Statistics, 1979).
func holm(ps []float64, level float64) []bool {
	order := make([]int, len(ps))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		if ps[a] < ps[b] {
			return -1
		}
		if ps[a] > ps[b] {
			return 1
		}
		return 0
	})
	rejected := make([]bool, len(ps))
	for k, i := range order {
		if ps[i] > level/float64(len(ps)-k) {
			break
		}
		rejected[i] = true
	}
	return rejected
}
