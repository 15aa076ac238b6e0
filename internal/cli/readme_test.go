package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"image"
	"image/draw"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"locklab/realrun/server"
	"locklab/scenarios"
)

// The commands in README.md and docs are run as they stand there, each document's in one folder, in their order.
//
//   - A block of "sh" holds commands, a block of "console" commands after "$ " and what they print. For a
//     command that needs no Redis the output is compared to the letter, else word for word, without the numbers.
//   - A block of "yaml" is a sweep, a profile, a scenario, or a part of one. If it begins with "# NAME.yaml" it is also
//     written to that file, and so is a block of "text" that begins with "# NAME.txt". One with an "apiVersion" is for
//     Kubernetes, and looked at by tests of its own.
//   - A block of "bash" is for machines that are not here; it is only parsed.
//   - A figure in docs/figures that a command draws must look like the one that it draws.
//
// `go test ./internal/cli -run Docs -update-docs` writes what is compared to the letter, and the figures, anew.
var updateDocs = flag.Bool("update-docs", false, "write what the commands print into README.md and docs")

// shortened are the commands that would take too long, and what makes them short.
var shortened = strings.NewReplacer(
	"./locklab calibrate", "./locklab calibrate --quick",
	"./locklab lesson -o out/lesson", "./locklab lesson -o out/lesson --scale 0.05 --runs 200",
	"./locklab lesson --all -o out/all", "./locklab lesson --all -o out/all --scale 0.05 --runs 50 --reps 1",
	"./locklab truth -o out/truth", "./locklab truth -o out/truth --scenarios 3 --longest 1s",
	"sim report.yaml --scale 0.01", "sim report.yaml --scale 0.001 --runs 200",
	"real report.yaml --scale 0.01", "real report.yaml --scale 0.001",
	"ttl=600ms..1400ms/5 --scale 0.1 --runs 10000", "ttl=600ms..1400ms/5 --scale 0.02 --runs 200",
	"ttl=600ms..1400ms/5 --scale 0.1 -o", "ttl=600ms..1400ms/5 --scale 0.02 -o",
)

// exitsWith are the exit codes that a command may have: whether a measurement agrees is not this test's business.
func exitsWith(command string) []int {
	switch {
	case regexp.MustCompile(`locklab (compare|lesson|truth)\b`).MatchString(command):
		return []int{exitOK, exitFinding, exitUnknown}
	case strings.Contains(command, "|"): // the last command's
		return []int{exitOK}
	case strings.Contains(command, "locklab check") || strings.Contains(command, "--replay"):
		return []int{exitOK, exitFinding}
	case strings.Contains(command, "locklab real"): // all disturbed, on a machine that has a lot to do
		return []int{exitOK, exitUnknown}
	}
	return []int{exitOK}
}

const repository = "../.."

// A docBlock is a fenced block of a document.
type docBlock struct {
	lang  string
	line  int // number of its first line, from 1
	lines []string
}

// A docCommand is a command of a document, and the output that is shown below it; shown is nil if none is.
type docCommand struct {
	text  string
	line  int
	shown []string
}

func documents(t *testing.T) []string {
	t.Helper()
	docs, err := filepath.Glob(repository + "/docs/*.md")
	if err != nil || len(docs) == 0 {
		t.Fatalf("documents: %v, %v", docs, err)
	}
	return append([]string{repository + "/README.md"}, docs...)
}

func readDocument(t *testing.T, path string) []string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(string(data), "\n")
}

func blocksOf(lines []string) []docBlock {
	var blocks []docBlock
	var open *docBlock
	for i, line := range lines {
		switch fence, isFence := strings.CutPrefix(line, "```"); {
		case !isFence && open != nil:
			open.lines = append(open.lines, line)
		case isFence && open == nil:
			open = &docBlock{lang: fence, line: i + 2}
		case isFence:
			blocks = append(blocks, *open)
			open = nil
		}
	}
	return blocks
}

func (b *docBlock) commands() []docCommand {
	var all []docCommand
	for i, line := range b.lines {
		command, isCommand := strings.CutPrefix(line, "$ ")
		switch {
		case b.lang == "sh" && line != "":
			all = append(all, docCommand{text: line, line: b.line + i})
		case b.lang == "console" && isCommand:
			all = append(all, docCommand{text: command, line: b.line + i, shown: []string{}})
		case b.lang == "console":
			last := &all[len(all)-1]
			last.shown = append(last.shown, line)
		}
	}
	return all
}

func TestDocsCommands(t *testing.T) {
	binary := filepath.Join(t.TempDir(), "locklab")
	build := exec.Command("go", "build", "-buildvcs=false", "-o", binary, repository)
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build: %v\n%s", err, out)
	}
	noRedis := redisForDocs(t)
	for _, path := range documents(t) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			t.Parallel()
			d := docRun{dir: t.TempDir(), noRedis: noRedis, lines: readDocument(t, path)}
			d.prepare(t, binary)
			d.runAll(t)
			if *updateDocs {
				if err := os.WriteFile(path, []byte(strings.Join(d.lines, "\n")), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			d.compareFigures(t)
		})
	}
}

// redisForDocs is why nothing can be measured here; "" if it can.
func redisForDocs(t *testing.T) string {
	t.Helper()
	s, err := server.Start(context.Background(), server.Options{})
	if errors.Is(err, server.ErrNoServer) && os.Getenv("CI") == "" {
		return err.Error()
	}
	if err != nil {
		t.Fatal(err)
	}
	s.Close()
	return ""
}

// A docRun is the run of one document's commands.
type docRun struct {
	dir     string
	noRedis string
	lines   []string // of the document
}

func (d *docRun) prepare(t *testing.T, binary string) {
	t.Helper()
	if err := os.Symlink(binary, filepath.Join(d.dir, "locklab")); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(d.dir, "docs/figures"), 0o755); err != nil {
		t.Fatal(err)
	}
	suffixes := map[string]string{"yaml": ".yaml", "text": ".txt"}
	for _, b := range blocksOf(d.lines) {
		suffix := suffixes[b.lang]
		if suffix == "" {
			continue
		}
		if name, ok := strings.CutPrefix(b.lines[0], "# "); ok && strings.HasSuffix(name, suffix) {
			if err := os.WriteFile(filepath.Join(d.dir, name), []byte(strings.Join(b.lines, "\n")), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// runAll runs the commands, and replaces their output in the document afterwards if that was asked for.
func (d *docRun) runAll(t *testing.T) {
	type update struct {
		command docCommand
		output  string
	}
	var updates []update
	for _, b := range blocksOf(d.lines) {
		for _, c := range b.commands() {
			t.Run(fmt.Sprintf("line %d", c.line), func(t *testing.T) {
				if output, ok := d.run(t, &c); ok {
					updates = append(updates, update{c, output})
				}
			})
		}
	}
	for _, u := range slices.Backward(updates) { // from the end: what is above stays where it is
		d.lines = slices.Replace(d.lines, u.command.line, u.command.line+len(u.command.shown), strings.Split(u.output, "\n")...)
	}
}

var (
	makeTarget = regexp.MustCompile(`^make ([a-z]+)$`)
	needsRedis = regexp.MustCompile(`locklab (lesson|real|calibrate|compare|truth)\b|--profile machine|\bout/lesson`)
)

// run runs a command and checks what it prints. If it is to be written into the document, ok is true.
func (d *docRun) run(t *testing.T, c *docCommand) (output string, ok bool) {
	if m := makeTarget.FindStringSubmatch(c.text); m != nil {
		makefile, err := os.ReadFile(repository + "/Makefile")
		if err != nil || !regexp.MustCompile(`(?m)^`+m[1]+`:`).Match(makefile) {
			t.Errorf("Makefile has no target %s (%v)", m[1], err)
		}
		return "", false
	}
	if !strings.HasPrefix(c.text, "./locklab ") {
		t.Fatalf("%q: neither make nor ./locklab", c.text)
	}
	measures := needsRedis.MatchString(c.text) && !strings.Contains(c.text, "--paired")
	if measures && d.noRedis != "" {
		t.Skip(d.noRedis)
	}
	output = d.execute(t, c.text)
	switch shown := strings.Join(c.shown, "\n"); {
	case c.shown == nil:
	case measures:
		checkWords(t, c.shown, output)
	case shown != output && *updateDocs:
		return output, true
	case shown != output:
		t.Errorf("%s prints\n%s\nnot what is shown:\n%s", c.text, output, shown)
	}
	return "", false
}

func (d *docRun) execute(t *testing.T, command string) string {
	t.Helper()
	var stderr strings.Builder
	cmd := exec.Command("sh", "-c", shortened.Replace(command))
	cmd.Dir = d.dir
	cmd.Env = append(os.Environ(), "XDG_CACHE_HOME="+filepath.Join(d.dir, "cache"))
	cmd.Stderr = &stderr
	output, err := cmd.Output()
	if cmd.ProcessState == nil || !slices.Contains(exitsWith(command), cmd.ProcessState.ExitCode()) {
		t.Fatalf("%s: %v\n%s%s", command, err, output, stderr.String())
	}
	return strings.TrimSuffix(string(output), "\n")
}

var (
	docWord   = regexp.MustCompile(`[a-z]+/[a-z]|[A-Za-z]{2,}`)
	sameWords = strings.NewReplacer("valkey", "redis", "differ", "agree", "unknown", "agree")
)

// checkWords checks that every line that is shown was printed, in this order, but for numbers and verdicts; "…" stands
// for lines that are not shown.
func checkWords(t *testing.T, shown []string, output string) {
	t.Helper()
	words := func(line string) string { return strings.Join(docWord.FindAllString(sameWords.Replace(line), -1), " ") }
	printed := strings.Split(output, "\n")
	for _, line := range shown {
		if line == "…" {
			continue
		}
		i := slices.IndexFunc(printed, func(p string) bool { return words(p) == words(line) })
		if i < 0 {
			t.Fatalf("the line %q is not printed, or not there:\n%s", line, output)
		}
		printed = printed[i+1:]
	}
}

// compareFigures holds the figures that the commands have drawn into docs/figures against those of the repository.
func (d *docRun) compareFigures(t *testing.T) {
	drawn, err := filepath.Glob(d.dir + "/docs/figures/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range drawn {
		kept := filepath.Join(repository, "docs/figures", filepath.Base(path))
		if *updateDocs {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(kept, data, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if share := differentPixels(t, path, kept); share > 0.001 {
			t.Errorf("%s: %.1f %% of its pixels are not as drawn now", kept, 100*share)
		}
	}
}

func differentPixels(t *testing.T, a, b string) float64 {
	t.Helper()
	left, right := pixels(t, a), pixels(t, b)
	if left.Bounds() != right.Bounds() {
		return 1
	}
	var n int
	for i := 0; i < len(left.Pix); i += 4 {
		if [4]byte(left.Pix[i:]) != [4]byte(right.Pix[i:]) {
			n++
		}
	}
	return float64(n) / float64(len(left.Pix)/4)
}

func pixels(t *testing.T, path string) *image.RGBA {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	img, err := png.Decode(file)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	rgba := image.NewRGBA(img.Bounds())
	draw.Draw(rgba, rgba.Bounds(), img, img.Bounds().Min, draw.Src)
	return rgba
}

// around is what makes a part of a scenario a whole one.
var around = []string{"scenario: part", "workers: 2", "rounds: 4", "work: 300ms", "lock: {kind: single, ttl: 1s}"}

func TestDocsYAML(t *testing.T) {
	for _, path := range documents(t) {
		for _, b := range blocksOf(readDocument(t, path)) {
			if b.lang != "yaml" || isManifest(&b) {
				continue
			}
			if err := checkYAML(b.lines); err != nil {
				t.Errorf("%s, block at line %d: %v", path, b.line, err)
			}
		}
	}
}

func checkYAML(lines []string) error {
	has := func(key string) bool {
		return slices.ContainsFunc(lines, func(l string) bool { return strings.HasPrefix(l, key+":") })
	}
	if has("sweep") {
		_, err := scenarios.ParseSweep("block", []byte(strings.Join(lines, "\n")))
		return err
	}
	if has("profile") {
		_, err := scenarios.ParseProfile("block", []byte(strings.Join(lines, "\n")))
		return err
	}
	whole := slices.Clone(lines)
	if !has("scenario") {
		for _, line := range around {
			if key, _, _ := strings.Cut(line, ":"); !has(key) {
				whole = append(whole, line)
			}
		}
	}
	_, err := scenarios.Parse("block", []byte(strings.Join(whole, "\n")))
	return err
}

func TestDocsScenarioTable(t *testing.T) {
	var rows []string
	for _, line := range readDocument(t, repository+"/README.md") {
		if strings.HasPrefix(line, "| `lesson/") {
			rows = append(rows, line)
		}
	}
	var want []string
	for _, name := range scenarios.Names() {
		s, err := scenarios.Builtin(name)
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, fmt.Sprintf("| `%s` | %s | %s |", name, s.Title, s.Teaches))
	}
	if !slices.Equal(rows, want) {
		t.Errorf("the table of scenarios is\n%s\nwant\n%s", strings.Join(rows, "\n"), strings.Join(want, "\n"))
	}
}

var docLink = regexp.MustCompile(`\]\(([^)\s]+)\)`)

func TestDocsLinks(t *testing.T) {
	for _, path := range documents(t) {
		for _, m := range docLink.FindAllStringSubmatch(strings.Join(readDocument(t, path), "\n"), -1) {
			if strings.HasPrefix(m[1], "https://") {
				continue
			}
			target, heading, _ := strings.Cut(m[1], "#")
			file := path
			if target != "" {
				file = filepath.Join(filepath.Dir(path), target)
			}
			if err := checkTarget(file, heading); err != nil {
				t.Errorf("%s: link %s: %v", path, m[1], err)
			}
		}
	}
}

// checkTarget checks that a file is there, and has a heading if one is named.
func checkTarget(file, heading string) error {
	data, err := os.ReadFile(file)
	if err != nil || heading == "" {
		return err
	}
	for line := range strings.Lines(string(data)) {
		if text, ok := strings.CutPrefix(strings.TrimLeft(line, "#"), " "); ok && line[0] == '#' && anchor(text) == heading {
			return nil
		}
	}
	return fmt.Errorf("no heading %q", heading)
}

var notInAnchor = regexp.MustCompile(`[^a-z0-9 _-]`)

// anchor is how a heading is linked to.
func anchor(heading string) string {
	return strings.ReplaceAll(notInAnchor.ReplaceAllString(strings.ToLower(strings.TrimSpace(heading)), ""), " ", "-")
}

func TestDocsFiguresAreSmall(t *testing.T) {
	figures, err := filepath.Glob(repository + "/docs/figures/*")
	if err != nil || len(figures) == 0 {
		t.Fatalf("figures: %v, %v", figures, err)
	}
	readme := strings.Join(readDocument(t, repository+"/README.md"), "\n")
	for _, path := range figures {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if info.Size() >= 300_000 {
			t.Errorf("%s: %d bytes, want below 300000", path, info.Size())
		}
		if !strings.Contains(readme, "docs/figures/"+filepath.Base(path)) {
			t.Errorf("%s: README does not show it", path)
		}
	}
}
