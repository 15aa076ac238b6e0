package study

import (
	"context"

	"locklab/realrun"
)

// Provide makes sure that a session has as many stores as the experiments need.
func Provide(ctx context.Context, s *realrun.Session, experiments []*Experiment) error {
	stores := 1
	for _, e := range experiments {
		stores = max(stores, e.Scenario.Lock.Stores())
	}
	return s.Provide(ctx, stores)
}
