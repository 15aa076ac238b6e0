package cli

import (
	"bytes"
	"fmt"
	"io"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

const scaleDocument = repository + "/docs/scale.md"

// isManifest reports whether a block of YAML is for Kubernetes.
func isManifest(b *docBlock) bool {
	return b.lang == "yaml" && slices.ContainsFunc(b.lines, func(l string) bool { return strings.HasPrefix(l, "apiVersion:") })
}

// A manifest has those fields of a Kubernetes object that its parts must agree about.
type manifest struct {
	Kind     string `yaml:"kind"`
	Metadata struct {
		Name string `yaml:"name"`
	} `yaml:"metadata"`
	Spec struct {
		CompletionMode       string `yaml:"completionMode"`
		Completions          int    `yaml:"completions"`
		Parallelism          int    `yaml:"parallelism"`
		BackoffLimitPerIndex *int   `yaml:"backoffLimitPerIndex"`
		MaxFailedIndexes     int    `yaml:"maxFailedIndexes"`
		Template             struct {
			Spec podSpec `yaml:"spec"`
		} `yaml:"template"`
	} `yaml:"spec"`
}

type podSpec struct {
	RestartPolicy string `yaml:"restartPolicy"`
	Containers    []struct {
		Command      []string `yaml:"command"`
		VolumeMounts []struct {
			Name      string `yaml:"name"`
			MountPath string `yaml:"mountPath"`
		} `yaml:"volumeMounts"`
	} `yaml:"containers"`
	Volumes []struct {
		Name  string `yaml:"name"`
		Claim struct {
			ClaimName string `yaml:"claimName"`
		} `yaml:"persistentVolumeClaim"`
	} `yaml:"volumes"`
}

// manifests are the objects of the document's one manifest, by kind and name.
func manifests(t *testing.T) map[string]manifest {
	t.Helper()
	objects := make(map[string]manifest)
	for _, b := range blocksOf(readDocument(t, scaleDocument)) {
		if !isManifest(&b) {
			continue
		}
		in := yaml.NewDecoder(bytes.NewReader([]byte(strings.Join(b.lines, "\n"))))
		for {
			var m manifest
			err := in.Decode(&m)
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatalf("block at line %d: %v", b.line, err)
			}
			objects[m.Kind+" "+m.Metadata.Name] = m
		}
	}
	return objects
}

// after is what follows a flag in a command.
func after(command []string, flag string) string {
	if i := slices.Index(command, flag); i >= 0 && i+1 < len(command) {
		return command[i+1]
	}
	return ""
}

func TestDocsManifestOfSweep(t *testing.T) {
	spec := manifests(t)["Job locklab-sweep"].Spec
	command := spec.Template.Spec.Containers[0].Command
	if spec.CompletionMode != "Indexed" || spec.Template.Spec.RestartPolicy != "Never" || spec.BackoffLimitPerIndex == nil {
		t.Errorf("mode %s, restart %s, backoff limit per index %v", spec.CompletionMode, spec.Template.Spec.RestartPolicy, spec.BackoffLimitPerIndex)
	}
	if want := fmt.Sprintf("auto/%d", spec.Completions); after(command, "--shard") != want {
		t.Errorf("--shard %s, want %s as there are completions", after(command, "--shard"), want)
	}
	if spec.Parallelism < 1 || spec.Parallelism > spec.Completions || spec.MaxFailedIndexes > spec.Completions {
		t.Errorf("parallelism %d, at most %d failed indexes, completions %d", spec.Parallelism, spec.MaxFailedIndexes, spec.Completions)
	}
	if want := "/out/part-$(JOB_COMPLETION_INDEX).jsonl"; after(command, "-o") != want || !slices.Contains(command, "--resume") {
		t.Errorf("-o %s, want %s; with --resume", after(command, "-o"), want)
	}
}

// The job that merges reads what the sweep's pods write: both mount the claim at /out.
func TestDocsManifestsShareTheVolume(t *testing.T) {
	objects := manifests(t)
	if len(objects) != 3 {
		t.Fatalf("%d objects, want a claim and two jobs", len(objects))
	}
	for _, name := range []string{"Job locklab-sweep", "Job locklab-merge"} {
		pod := objects[name].Spec.Template.Spec
		if len(pod.Containers) != 1 || len(pod.Containers[0].VolumeMounts) != 1 || len(pod.Volumes) != 1 {
			t.Fatalf("%s: want one container, mount and volume: %+v", name, pod)
		}
		mount, volume := pod.Containers[0].VolumeMounts[0], pod.Volumes[0]
		if _, there := objects["PersistentVolumeClaim "+volume.Claim.ClaimName]; !there || mount.Name != volume.Name || mount.MountPath != "/out" {
			t.Errorf("%s mounts %+v of %+v", name, mount, volume)
		}
	}
	if command := strings.Join(objects["Job locklab-merge"].Spec.Template.Spec.Containers[0].Command, " "); !strings.Contains(command, "locklab merge /out/part-*.jsonl -o ") {
		t.Errorf("merge runs %s", command)
	}
}

// All examples compute the same sweep.
func TestDocsScaleExamplesAreOneSweep(t *testing.T) {
	command := manifests(t)["Job locklab-sweep"].Spec.Template.Spec.Containers[0].Command
	want := strings.Join(command[:slices.Index(command, "--shard")], " ")
	text := strings.Join(readDocument(t, scaleDocument), "\n")
	if n := strings.Count(text, want); n != 2 {
		t.Errorf("%q is in %d examples besides the manifest, want 2: Slurm and AWS Batch", want, n)
	}
}

func TestDocsShellScripts(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip(err)
	}
	for _, path := range documents(t) {
		for _, b := range blocksOf(readDocument(t, path)) {
			if b.lang != "bash" {
				continue
			}
			cmd := exec.Command(bash, "-n")
			cmd.Stdin = strings.NewReader(strings.Join(b.lines, "\n") + "\n")
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%s, block at line %d: %v\n%s", path, b.line, err, out)
			}
		}
	}
}

var (
	scaleRow  = regexp.MustCompile(`^\| (.+) \| (.+) \|$`)
	coresTime = regexp.MustCompile(`^time on ([0-9,]+) cores$`)
)

// What a great sweep needs follows from the speed of a core and the size of a cell. To state another speed, change its line;
// this test says what the others are then.
func TestDocsScaleTable(t *testing.T) {
	const runs, cells = 1e12, 1e6
	figures := make(map[string]string)
	for _, line := range readDocument(t, scaleDocument) {
		if m := scaleRow.FindStringSubmatch(line); m != nil {
			figures[m[1]] = m[2]
		}
	}
	speed, size := figureOf(t, figures, "speed of one core", " runs/s"), figureOf(t, figures, "size of a cell", " kB")
	hours := runs / speed / 3600
	parts := cells * size / 1e6
	want := map[string]string{
		"work":                  grouped(hours) + " core-hours",
		"one cell on one core":  fmt.Sprintf("%.0f s", runs/cells/speed),
		"parts":                 fmt.Sprintf("%.0f GB", parts),
		"parts and merged file": fmt.Sprintf("%.0f GB", 2*parts),
		"merge":                 fmt.Sprintf("reads %.0f GB and writes %.0f GB, on one core", parts, parts),
	}
	for what := range figures {
		if m := coresTime.FindStringSubmatch(what); m != nil {
			cores, err := strconv.ParseFloat(strings.ReplaceAll(m[1], ",", ""), 64)
			if err != nil {
				t.Fatal(err)
			}
			want[what] = fmt.Sprintf("%.2g h", hours/cores)
			if hours/cores >= 10 {
				want[what] = fmt.Sprintf("%.1f h", hours/cores)
			}
		}
	}
	if len(want) < 6 {
		t.Fatal("the table says of no number of cores how long they take")
	}
	for what, figure := range want {
		if figures[what] != figure {
			t.Errorf("%s: %q, want %q", what, figures[what], figure)
		}
	}
}

func figureOf(t *testing.T, figures map[string]string, what, unit string) float64 {
	t.Helper()
	value, err := strconv.ParseFloat(strings.ReplaceAll(strings.TrimSuffix(figures[what], unit), ",", ""), 64)
	if err != nil {
		t.Fatalf("%s is %q, want a number and %q", what, figures[what], unit)
	}
	return value
}

// grouped is the number with commas.
func grouped(x float64) string {
	digits := fmt.Sprintf("%.0f", x)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}
