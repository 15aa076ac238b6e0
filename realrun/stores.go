package realrun

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/redis/go-redis/v9"

	"locklab/realrun/server"
)

// splitURLs are the URLs of a list with commas between them. A comma within a URL, as in a password, is part of it.
func splitURLs(list string) (urls []string) {
	for part := range strings.SplitSeq(list, ",") {
		if len(urls) > 0 && !strings.HasPrefix(part, "redis://") && !strings.HasPrefix(part, "rediss://") && !strings.HasPrefix(part, "unix://") {
			urls[len(urls)-1] += "," + part
			continue
		}
		urls = append(urls, part)
	}
	return urls
}

// Provide makes sure that the session has so many stores, since a quorum needs several: it starts more private servers. It
// is an error if the stores are the user's own and too few. A session begins with one, or with all of the user's.
func (s *Session) Provide(ctx context.Context, stores int) error {
	for len(s.urls) < stores {
		if !s.private {
			return fmt.Errorf("--redis: the scenario's lock needs %d stores, and %d %s given; give %d URLs with commas between them, of different servers or databases",
				stores, len(s.urls), isOrAre(len(s.urls)), stores)
		}
		if err := s.startOne(ctx); err != nil {
			return err
		}
	}
	return nil
}

func isOrAre(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

// startOne starts a private server and makes it ready.
func (s *Session) startOne(ctx context.Context) error {
	private, err := server.Start(ctx, server.Options{})
	if err != nil {
		return err
	}
	s.servers, s.urls = append(s.servers, private), append(s.urls, private.URL())
	return s.check(ctx, len(s.urls)-1)
}

// distinct makes sure that the user's stores are different databases of servers, by whatever names they are reached: one that counts as
// two would refuse what it has granted.
func (s *Session) distinct(ctx context.Context) error {
	seen := make(map[string]int)
	for store := range s.urls {
		var id string
		err := s.askAt(ctx, store, func(c *redis.Client) error {
			info, err := c.InfoMap(ctx, "server").Result()
			id = fmt.Sprintf("%s/%d", info["Server"]["run_id"], c.Options().DB)
			return err
		})
		if err != nil {
			return err
		}
		if first, known := seen[id]; known && len(s.urls) > 1 {
			return fmt.Errorf("--redis: URLs %d and %d lead to one database of one server; the stores of a quorum must be different", first+1, store+1)
		}
		seen[id] = store
	}
	return nil
}

// different reports the first URL that was given twice: it would be one store that counts as two.
func different(urls []string) error {
	for i, url := range urls {
		if slices.Contains(urls[:i], url) {
			return fmt.Errorf("--redis: URL %d is the same as one before it; the stores of a quorum must be different servers or databases", i+1)
		}
	}
	return nil
}
