package study

import (
	"fmt"
	"io"
	"os"
	"reflect"
	"slices"
	"strings"

	"locklab/history"
)

// Merged is what came of a merge.
type Merged struct{ Shards, Cells int }

// Merge joins the files of all shards of a sweep, given in any order, and writes the file of the whole sweep. It is an error if
// one is missing, doubled, of another sweep, unfinished or damaged; what was written by then is of no use.
func Merge(w io.Writer, paths []string) (Merged, error) {
	shards, header, err := sortShards(paths)
	if err != nil {
		return Merged{}, err
	}
	if err := history.WriteLine(w, header); err != nil {
		return Merged{}, err
	}
	result := Merged{Shards: len(shards)}
	for _, path := range shards {
		cells, err := copyShard(w, path)
		if err != nil {
			return Merged{}, err
		}
		result.Cells += cells
	}
	return result, nil
}

// sortShards checks the first lines of the files, and gives the files in order and the first line of the whole.
func sortShards(paths []string) (sorted []string, whole *history.Sweep, err error) {
	for _, path := range paths {
		f, err := openShard(path)
		if err != nil {
			return nil, nil, err
		}
		shard, header := f.shard, f.header
		header.Shard = ""
		f.Close()
		if shard.Count == 0 {
			return nil, nil, fmt.Errorf("%s is a whole sweep, no shard of one", path)
		}
		if whole == nil {
			whole, sorted = &header, make([]string, shard.Count)
		}
		switch {
		case !reflect.DeepEqual(header, *whole):
			return nil, nil, fmt.Errorf("%s belongs to another sweep than %s: %s", path, paths[0], differences(whole, &header))
		case shard.Count != len(sorted):
			return nil, nil, fmt.Errorf("%s is one of %d shards, %s one of %d", path, shard.Count, paths[0], len(sorted))
		case sorted[shard.Index] != "":
			return nil, nil, fmt.Errorf("%s and %s both are shard %s", sorted[shard.Index], path, shard)
		}
		sorted[shard.Index] = path
	}
	if missing := missingShards(sorted); len(missing) > 0 {
		return nil, nil, fmt.Errorf("of %d shards %d are missing: %s", len(sorted), len(missing), firstFew(missing))
	}
	return sorted, whole, nil
}

func missingShards(sorted []string) []string {
	var missing []string
	for i, path := range sorted {
		if path == "" {
			missing = append(missing, Shard{i, len(sorted)}.String())
		}
	}
	return missing
}

func firstFew(all []string) string {
	const few = 10
	if len(all) > few {
		all = append(slices.Clone(all[:few]), "…")
	}
	return strings.Join(all, ", ")
}

// A shardFile is a file of a shard that is being read.
type shardFile struct {
	*sweepReader
	io.Closer
}

func openShard(path string) (*shardFile, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	r, err := openSweep(file)
	if err != nil {
		file.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return &shardFile{r, file}, nil
}

// copyShard copies the cells of a finished shard.
func copyShard(w io.Writer, path string) (cells int, err error) {
	f, err := openShard(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	if err := f.read(func(line []byte) error { _, err := w.Write(line); return err }); err != nil {
		return 0, fmt.Errorf("%s: %w", path, err)
	}
	if !f.finished() {
		return 0, fmt.Errorf("%s is not finished: %d of %d cells; the command that made it goes on with --resume", path, f.cells, f.all())
	}
	return f.cells, nil
}
