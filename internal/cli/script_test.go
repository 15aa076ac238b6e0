package cli_test

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"locklab/internal/cli"
)

func TestMain(m *testing.M) {
	testscript.Main(sleepers{m}, map[string]func(){
		"locklab": func() { os.Exit(cli.Main(os.Args[1:], os.Stdout, os.Stderr)) },
	})
}

// sleepers are tests of which many run side by side: they mostly sleep.
type sleepers struct{ *testing.M }

func (s sleepers) Run() int {
	flag.Parse()
	_ = flag.Set("test.parallel", "8")
	return s.M.Run()
}

// TestScripts runs testdata/script: commands, what they print, how they exit. Scripts have two words more than usual:
// "exits CODE COMMAND ARGS…", and the condition [redis].
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(env *testscript.Env) error {
			env.Setenv("XDG_CACHE_HOME", filepath.Join(env.WorkDir, "cache"))
			env.Setenv("REDIS_SERVER", os.Getenv("REDIS_SERVER"))
			return nil
		},
		Condition: func(name string) (bool, error) {
			if name != "redis" {
				return false, fmt.Errorf("unknown condition %q", name)
			}
			return hasRedis()
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": exits},
	})
}

// hasRedis reports whether real runs are possible here: on Linux, with a Redis server. In CI there must be one.
func hasRedis() (bool, error) {
	if runtime.GOOS != "linux" {
		return false, nil
	}
	for _, name := range []string{os.Getenv("REDIS_SERVER"), "redis-server", "valkey-server"} {
		if _, err := exec.LookPath(name); err == nil {
			return true, nil
		}
	}
	if os.Getenv("CI") != "" {
		return false, errors.New("no Redis server, and this is CI")
	}
	return false, nil
}

// exits runs a command that must exit with the given code. What it printed can be looked at as usual.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND ARGS...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		exit := new(exec.ExitError)
		if !errors.As(err, &exit) {
			ts.Fatalf("%v", err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}
