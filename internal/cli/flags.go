package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"locklab/internal/study"
	"locklab/realrun"
	"locklab/scenarios"
)

// experimentFlags say what is to be run.
type experimentFlags struct {
	set   []string
	scale float64
}

func (f *experimentFlags) register(flags *pflag.FlagSet) {
	flags.StringArrayVar(&f.set, "set", nil, "change a parameter of the scenario, `path=value`, e.g. lock.ttl=500ms or pauses[0].for=2s (repeatable)")
	flags.Float64Var(&f.scale, "scale", 1, "multiply every duration of the scenario by this")
}

func (f *experimentFlags) load(names []string) ([]*study.Experiment, error) {
	return study.NewExperiments(names, f.set, f.scale)
}

// profileFlag says what the machine does.
type profileFlag struct {
	name string
}

func (f *profileFlag) register(flags *pflag.FlagSet, value string) {
	flags.StringVar(&f.name, "profile", value, "what the machine does: ideal, lab, machine (as calibrate measured it; measured now if it did not), or a profile's `FILE`")
}

// load finds the profile. If it is the machine's and was never measured, measure does so now, and it is kept.
func (f *profileFlag) load(stderr io.Writer, measure func() (*scenarios.Profile, error)) (*scenarios.Profile, error) {
	switch f.name {
	case "ideal", "lab":
		return scenarios.ProfileByName(f.name)
	case "machine":
		return f.machine(stderr, measure)
	}
	p, err := scenarios.LoadProfile(f.name)
	if errors.Is(err, os.ErrNotExist) && !strings.ContainsAny(f.name, "./\\") {
		return scenarios.ProfileByName(f.name) // its error lists the names
	}
	return p, err
}

// machine is the profile of this machine: the one that was kept, or a new one.
func (f *profileFlag) machine(stderr io.Writer, measure func() (*scenarios.Profile, error)) (*scenarios.Profile, error) {
	path, err := machineFile()
	if err != nil {
		return nil, err
	}
	p, err := scenarios.LoadProfile(path)
	if err == nil {
		fmt.Fprintf(stderr, "profile machine: measured %s, %s, %s (%s)\n", p.About["made"], p.About["store"], p.About["load"], path)
		return p, nil
	}
	if !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	if err := tryProfile(path); err != nil {
		return nil, err
	}
	fmt.Fprintln(stderr, "this machine was not measured yet (locklab calibrate); doing it now, about 4 s")
	if p, err = measure(); err != nil {
		return nil, fmt.Errorf("--profile machine: %w", err)
	}
	warnBusy(stderr, p)
	return p, keepProfile(path, p)
}

// measureUsual measures the machine under the load of the lesson, on a private server.
func measureUsual(cmd *cobra.Command) func() (*scenarios.Profile, error) {
	auto := redisFlag{realrun.Auto}
	return func() (*scenarios.Profile, error) {
		end, err := alone(cmd)
		if err != nil {
			return nil, err
		}
		defer end()
		return auto.measureMachine(cmd.Context(), usualRuns)
	}
}

// usualRuns is how many runs side by side a profile is measured for if nothing else is known: those of the lesson.
const usualRuns = 15

// machineFile is where the profile of this machine is kept.
func machineFile() (string, error) {
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("find the cache folder, where the machine's profile is kept: %w; or name a file with --profile", err)
	}
	return filepath.Join(dir, "locklab", "machine.yaml"), nil
}

// tryProfile makes sure that a profile can be written, before it is measured.
func tryProfile(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return fmt.Errorf("keep the profile: %w", err)
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".try-*")
	if err != nil {
		return fmt.Errorf("keep the profile: %w", err)
	}
	f.Close()
	return os.Remove(f.Name())
}

func keepProfile(path string, p *scenarios.Profile) error {
	if err := os.WriteFile(path, p.YAML(), 0o644); err != nil {
		return fmt.Errorf("keep the profile: %w", err)
	}
	return nil
}

// redisFlag says where the real runs take place.
type redisFlag struct {
	url string
}

func (f *redisFlag) register(flags *pflag.FlagSet) {
	flags.StringVar(&f.url, "redis", realrun.Auto, "auto starts a private redis-server or valkey-server; a `URL` (redis://, rediss://, unix://) uses yours, under a random prefix that is removed afterwards; a quorum's stores: with commas between them")
}

// closing closes a session; an error of that is reported if there is no other.
func closing(s *realrun.Session, err *error) {
	if gone := s.Close(); *err == nil {
		*err = gone
	}
}

func (f *redisFlag) open(ctx context.Context) (*realrun.Session, error) {
	return realrun.Open(ctx, f.url)
}

// forHint is the flag as a hint to another command has it, "" if it is not needed. A URL may hold a password.
func (f *redisFlag) forHint() string {
	if f.url == realrun.Auto {
		return ""
	}
	return " --redis URL"
}

// seedFlag is the seed.
func seedFlag(flags *pflag.FlagSet, seed *uint64) {
	flags.Uint64Var(seed, "seed", 1, "the same seed gives the same runs")
}

// atLeast refuses a number that is too small.
func atLeast(name string, value, least int) error {
	if value < least {
		return fmt.Errorf("--%s %d: must be at least %d", name, value, least)
	}
	return nil
}
