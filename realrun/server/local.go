package server

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/redis/go-redis/v9"
)

// IsLocal reports whether a server is known to run on this machine: it names the id of its process, and the process with that
// id here is a server. It is not known of one in a container, or where there is no /proc.
func IsLocal(ctx context.Context, client *redis.Client) bool {
	fields, err := infoServer(ctx, client)
	if err != nil {
		return false
	}
	command, err := os.ReadFile(filepath.Join("/proc", filepath.Base(fields["process_id"]), "comm"))
	return err == nil && slices.Contains(names, strings.TrimSpace(string(command)))
}
