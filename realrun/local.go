package realrun

import (
	"context"

	"github.com/redis/go-redis/v9"

	"locklab/realrun/server"
)

// IsLocal reports whether the session's first server is known to run on this machine, so that its wall clock is ours.
func (s *Session) IsLocal(ctx context.Context) bool {
	if len(s.servers) > 0 {
		return true
	}
	local := false
	err := s.ask(ctx, func(c *redis.Client) error {
		local = server.IsLocal(ctx, c)
		return nil
	})
	return err == nil && local
}
