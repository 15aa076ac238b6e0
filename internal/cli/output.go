package cli

import (
	"bufio"
	"fmt"
	"io"
	"os"
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

// writeFile writes a file by a function that writes it.
func writeFile(path string, write func(io.Writer) error) error {
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
