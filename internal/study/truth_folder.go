package study

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"locklab/history"
	"locklab/plots"
)

// The files of a truth.
const (
	scenariosIn   = "scenarios"
	profileFile   = "profile.yaml"
	simulatedFile = "simulated.jsonl"
	realFile      = "real.jsonl"
	reportFile    = "report.md"
	jsonFile      = "truth.json"
)

// truthFiles are the patterns of all that a truth writes, but for its figures.
var truthFiles = []string{
	scenariosIn + "/random-*.yaml", historiesIn + "/random-*.jsonl", profileFile, simulatedFile, realFile, reportFile, jsonFile,
}

// writeScenarios writes each scenario into a file of its own.
func (f *folder) writeScenarios(set []candidate) error {
	for i := range set {
		s := set[i].Scenario
		if err := f.write(scenariosIn+"/"+s.Name+".yaml", s.YAML()); err != nil {
			return err
		}
	}
	return nil
}

// readLines reads a file of JSON lines; one that is not there has none.
func (f *folder) readLines(name string) (history.Lines, error) {
	file, err := os.Open(f.file(name))
	if errors.Is(err, os.ErrNotExist) {
		return history.Lines{}, nil
	}
	if err != nil {
		return history.Lines{}, err
	}
	defer file.Close()
	lines, err := history.ReadLines(file)
	if err != nil {
		return lines, fmt.Errorf("%s: %w", name, err)
	}
	return lines, nil
}

// keepReport writes the report for machines and for people, and draws it.
func (t *truth) keepReport() error {
	for name, write := range map[string]func(io.Writer) error{jsonFile: t.report.WriteJSON, reportFile: t.report.WriteMarkdown} {
		var b bytes.Buffer
		if err := write(&b); err != nil {
			return err
		}
		if err := t.out.write(name, b.Bytes()); err != nil {
			return err
		}
	}
	c := Calibration(t.lines)
	if c == nil {
		return nil
	}
	figures, err := plots.Figures(history.Lines{}, plots.Options{Calibration: c})
	if err != nil {
		return err
	}
	for _, f := range figures {
		if err := t.out.draw(f, f.Name); err != nil {
			return err
		}
	}
	return nil
}
