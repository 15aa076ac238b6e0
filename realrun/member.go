package realrun

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"locklab/realrun/child"
)

// A member is one worker process of a run, as its supervisor sees it.
type member struct {
	id      int
	process *child.Child
	in      *os.File // to its standard input
	out     *os.File // from its standard output
	encode  *json.Encoder
	decode  *json.Decoder
	stderr  *tail
	left    *ending      // what it noted; nil until it was asked
	waiting atomic.Int32 // notAsked, waits, doesNotWait or isOver
}

// startMember starts a worker process and tells it what it is.
func startMember(s *setup) (*member, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("find this program to start it as a worker: %w", err)
	}
	var p pipes
	defer p.closeTheirs()
	p.open()
	if p.err != nil {
		p.closeOurs()
		return nil, fmt.Errorf("start worker %d: %w", s.Worker, p.err)
	}
	process, err := child.Start(child.Spec{
		Path: self, Env: append(os.Environ(), workerEnv+"=1"),
		Files: []*os.File{p.theirs[0], p.theirs[1], p.theirs[2]},
	})
	if err != nil {
		p.closeOurs()
		return nil, fmt.Errorf("start worker %d: %w", s.Worker, err)
	}
	m := &member{
		id: s.Worker, process: process, in: p.ours[0], out: p.ours[1],
		encode: json.NewEncoder(p.ours[0]), decode: json.NewDecoder(p.ours[1]), stderr: readTail(p.ours[2]),
	}
	if err := m.encode.Encode(s); err != nil {
		m.end()
		return nil, m.died(err)
	}
	return m, nil
}

// pipes are a worker's standard input, output and error.
type pipes struct {
	ours, theirs [3]*os.File
	err          error
}

func (p *pipes) open() {
	for i := range p.ours {
		r, w, err := os.Pipe()
		if err != nil {
			p.err = err
			return
		}
		p.ours[i], p.theirs[i] = r, w
		if i == 0 {
			p.ours[i], p.theirs[i] = w, r
		}
	}
}

func (p *pipes) closeTheirs() { closeAll(p.theirs[:]) }
func (p *pipes) closeOurs()   { closeAll(p.ours[:]) }

func closeAll(files []*os.File) {
	for _, f := range files {
		if f != nil {
			f.Close()
		}
	}
}

// ready waits until the worker is ready to start.
func (m *member) ready() error {
	r, err := m.next()
	if err == nil && !r.Ready {
		err = fmt.Errorf("worker %d: unexpected report before it was ready", m.id)
	}
	return err
}

// next reads the worker's next report. A reported error, and the end of the process, are errors.
func (m *member) next() (report, error) {
	var r report
	if err := m.decode.Decode(&r); err != nil {
		return r, m.died(err)
	}
	if r.Error != "" {
		return r, fmt.Errorf("worker %d: %s", m.id, r.Error)
	}
	return r, nil
}

// died says how a worker that no longer answers ended.
func (m *member) died(err error) error {
	if syntax := new(json.SyntaxError); errors.As(err, &syntax) {
		return fmt.Errorf("worker %d: read its report: %w", m.id, err)
	}
	m.process.Kill()
	exit := m.process.Wait()
	if last := m.stderr.String(); last != "" {
		return fmt.Errorf("worker %d died (%s): %s", m.id, exit, last)
	}
	return fmt.Errorf("worker %d died (%s)", m.id, exit)
}

// attend starts the worker at the given instant, and stops it as it wishes until its rounds are over. Of one that crashes
// it takes what it leaves, and kills it.
func (m *member) attend(ctx context.Context, at int64) (*ending, error) {
	defer m.waiting.Store(isOver)
	if err := m.encode.Encode(start{At: at}); err != nil {
		return nil, m.died(err)
	}
	for {
		r, err := m.next()
		switch {
		case err != nil:
			return nil, err
		case r.Done:
			return nil, nil
		case r.End != nil:
			m.process.Kill()
			m.process.Wait()
			return r.End, nil
		case r.Waits != nil:
			m.answer(*r.Waits)
		case r.Stop != nil:
			if err := m.stop(ctx, *r.Stop); err != nil {
				return nil, err
			}
		}
	}
}

// collect asks the worker for what it noted, unless it has said so.
func (m *member) collect() error {
	if m.left != nil {
		return nil
	}
	if err := m.encode.Encode(collect{}); err != nil {
		return m.died(err)
	}
	r, err := m.next()
	if err == nil && r.End == nil {
		err = fmt.Errorf("worker %d: unexpected report after its rounds", m.id)
	}
	m.left = r.End
	return err
}

// stop stops the process for d nanoseconds, counted from when it really stood.
func (m *member) stop(ctx context.Context, d int64) error {
	at, err := m.process.Stop(ctx)
	if err != nil {
		return m.unmoved(err)
	}
	select {
	case <-time.After(time.Duration(at + d - monotonic())):
	case <-m.process.Done():
		return m.died(io.EOF)
	case <-ctx.Done():
		return ctx.Err()
	}
	if err := m.process.Continue(); err != nil {
		return m.unmoved(err)
	}
	if err := m.encode.Encode(stopped{At: at}); err != nil {
		return m.died(err)
	}
	return nil
}

// unmoved says why a worker could not be stopped or continued. If that is because it has ended, its end is about to be known.
func (m *member) unmoved(err error) error {
	select {
	case <-m.process.Done():
		return m.died(err)
	case <-time.After(time.Second):
		return fmt.Errorf("worker %d: %w", m.id, err)
	}
}

// end ends the process, whatever it does, and waits until it is gone.
func (m *member) end() {
	m.process.Kill()
	m.process.Wait()
	closeAll([]*os.File{m.in, m.out})
}

// tail keeps the last lines that a process wrote to its standard error.
type tail struct {
	mu   sync.Mutex
	text []byte
	done chan struct{}
}

const tailBytes = 2000

func readTail(f *os.File) *tail {
	t := &tail{done: make(chan struct{})}
	go func() {
		defer close(t.done)
		defer f.Close()
		_, _ = io.Copy(t, f)
	}()
	return t
}

// Write keeps the end of what was written.
func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, p...)
	t.text = t.text[max(0, len(t.text)-tailBytes):]
	return len(p), nil
}

// String is what the process wrote last, once it has ended.
func (t *tail) String() string {
	<-t.done
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.TrimSpace(string(t.text))
}
