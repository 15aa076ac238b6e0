package store

// Rules are the points in which products and versions differ, as far as locks can notice. The zero value is
// Redis 7.0.
type Rules struct {
	// FrozenDeadlines: in a script or transaction, all that reads the clock reads it as it was at the start. Else
	// only expiry does, and new deadlines, PTTL and TIME go by the clock that runs on (rule 2.7).
	FrozenDeadlines bool
	// PastSetDeletes: SET with a deadline that has come stores nothing, and deletes what was there (rule 1.5).
	PastSetDeletes bool
}

// RulesOf are the rules of a server: product "redis" or "valkey", and its version from 7.0 on.
func RulesOf(product string, major, minor int) Rules {
	return Rules{
		FrozenDeadlines: major > 7 || minor >= 2,
		PastSetDeletes:  product == "valkey" && major >= 8,
	}
}
