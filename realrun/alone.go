package realrun

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// errTaken means that another process holds the file.
var errTaken = errors.New("held by another process")

// Alone waits until this process is the only one that measures on this machine, among those that name the same file, and
// returns how to end that. The kernel ends it, too, when the process ends, however it does. While another one measures, waiting is
// called once with who it is. An error of ctx ends the wait.
func Alone(ctx context.Context, path, me string, waiting func(who string)) (end func(), err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, fmt.Errorf("make sure that nobody else measures: %w", err)
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, fmt.Errorf("make sure that nobody else measures: %w", err)
	}
	if err := take(ctx, f, waiting); err != nil {
		f.Close()
		return nil, err
	}
	_ = f.Truncate(0) // who we are is only told to others
	_, _ = fmt.Fprintf(f, "%s, process %d\n", me, os.Getpid())
	return func() {
		_ = f.Truncate(0)
		f.Close()
	}, nil
}

func take(ctx context.Context, f *os.File, waiting func(who string)) error {
	const again = 100 * time.Millisecond
	for told := false; ; told = true {
		err := tryFlock(f)
		if !errors.Is(err, errTaken) {
			return nil // where files cannot be held, nobody can
		}
		if !told {
			waiting(holder(f.Name()))
		}
		select {
		case <-time.After(again):
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// holder is what the process that holds a file has written into it.
func holder(path string) string {
	data, _ := os.ReadFile(path)
	if who := strings.TrimSpace(string(data)); who != "" {
		return who
	}
	return "another process"
}
