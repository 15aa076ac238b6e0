package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"locklab/history"
	"locklab/scenarios"
)

// gridFlags say which grid of cells is meant, simulated or measured. What they do not say, the file of a sweep may.
type gridFlags struct {
	with    experimentFlags
	profile profileFlag
	axes    []string
	seed    uint64
}

func (g *gridFlags) register(flags *pflag.FlagSet, profile string) {
	flags.StringArrayVar(&g.axes, "axis", nil, "move along a parameter, `name=values` (repeatable)")
	seedFlag(flags, &g.seed)
	g.profile.register(flags, profile)
	g.with.register(flags)
}

// load reads the file of a sweep, if the name is of one, or makes one of the name of a scenario, and brings it and the flags
// together: flags win.
func (g *gridFlags) load(flags *pflag.FlagSet, name string) (*scenarios.SweepFile, error) {
	file, isSweep, err := scenarios.LoadSweep(name)
	if err != nil {
		return nil, err
	}
	if !isSweep {
		file = &scenarios.SweepFile{Scenario: name}
	}
	file.Set = slices.Concat(file.Set, g.with.set)
	if file.Scale != nil && !flags.Changed("scale") {
		g.with.scale = *file.Scale
	}
	if file.Seed != nil && !flags.Changed("seed") {
		g.seed = *file.Seed
	}
	if file.Profile != "" && !flags.Changed("profile") {
		g.profile.name = file.Profile
	}
	file.Axes, err = g.moveAlong(file.Axes)
	return file, err
}

// moveAlong is the axes of the file, with those of the flags in place of their like, or behind.
func (g *gridFlags) moveAlong(axes []history.Axis) ([]history.Axis, error) {
	given, err := parseAxes(g.axes)
	if err != nil {
		return nil, err
	}
	all := slices.Clone(axes)
	for _, axis := range given {
		i := slices.IndexFunc(axes, func(a history.Axis) bool { return a.Path == axis.Path })
		if i >= 0 {
			all[i] = axis
		} else {
			all = append(all, axis)
		}
	}
	return all, nil
}

// parseAxes reads axes that are written name=values.
func parseAxes(texts []string) ([]history.Axis, error) {
	var axes []history.Axis
	for _, text := range texts {
		name, values, ok := strings.Cut(text, "=")
		if !ok {
			return nil, fmt.Errorf("--axis %s: no values; want name=values, e.g. ttl=100ms..2s/20", text)
		}
		axis, err := scenarios.ParseAxis(name, values)
		if err != nil {
			return nil, fmt.Errorf("--axis %s: %w", text, err)
		}
		axes = append(axes, axis)
	}
	return axes, nil
}
