package history

import "fmt"

// SilentFailure is the finding that a lock failed nearly without conflicts: on average, fewer than one for every four
// lost holds. The others had left, or slept, when the zombies came; a count of conflicts alone would hide it. It is ""
// if there is nothing to say. Both numbers are means per run.
func SilentFailure(conflicts, lostHolds float64) string {
	if lostHolds == 0 || 4*conflicts >= lostHolds {
		return ""
	}
	return fmt.Sprintf("%.2g conflicts although the lock failed: %.3g lost holds per run", conflicts, lostHolds)
}
