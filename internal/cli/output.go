package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// A sink is a file that results are written to, or nothing.
type sink struct {
	*bufio.Writer
	file *os.File
}

// openSink creates the file, so that one that cannot be written is found before the long work. "" is no file, "-" is
// standard output.
func openSink(path string, stdout io.Writer) (*sink, error) {
	switch path {
	case "":
		return &sink{Writer: bufio.NewWriter(io.Discard)}, nil
	case "-":
		return &sink{Writer: bufio.NewWriter(stdout)}, nil
	}
	f, err := os.Create(path)
	if err != nil {
		return nil, fmt.Errorf("write results: %w", err)
	}
	return newSink(f), nil
}

// newSink writes to a file where it stands.
func newSink(f *os.File) *sink { return &sink{bufio.NewWriter(f), f} }

// close writes out what is left.
func (s *sink) close() error {
	err := s.Flush()
	if s.file != nil {
		if e := s.file.Close(); err == nil {
			err = e
		}
	}
	return err
}

// writeFile writes a file by a function that writes it. If that fails, a file that was there before stays as it was.
func writeFile(path string, write func(io.Writer) error) error {
	if info, err := os.Stat(path); path == "-" || err == nil && !info.Mode().IsRegular() {
		return fill(path, write)
	}
	part, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*")
	if err != nil {
		var where *fs.PathError
		if errors.As(err, &where) {
			err = where.Err // it names the part, which nobody knows
		}
		return fmt.Errorf("write results: open %s: %w", path, err)
	}
	part.Close()
	err = fill(part.Name(), write)
	if err == nil {
		err = os.Chmod(part.Name(), 0o644)
	}
	if err == nil {
		err = os.Rename(part.Name(), path)
	}
	if err != nil {
		os.Remove(part.Name())
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}

// fill writes to a file, or to what stands under its name.
func fill(path string, write func(io.Writer) error) error {
	out, err := openSink(path, os.Stdout)
	if err != nil {
		return err
	}
	err = write(out)
	if closing := out.close(); err == nil {
		err = closing
	}
	return err
}
