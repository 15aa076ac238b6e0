package store_test

import (
	"io"
	"os"
	"syscall"
	"time"

	"locklab/worker/wire"
)

// Scripts cannot sleep, and from 7.2 on cannot see the clock that runs on. But a server opens the file of its log for
// each line. If a pipe has taken the file's place, a script that logs more than a pipe holds waits there until somebody
// reads. Meanwhile the test moves the clock: the script is then slow by exactly that, and no time has passed.

// takeSlow takes a step that is a script with one Sleep.
func (p *pair) takeSlow(s *step) (model, real outcome) {
	p.move(s.move)
	took := sleeps(s)
	commands := make([]wire.Command, len(s.commands))
	for i, c := range s.commands {
		commands[i] = p.resolved(c)
	}
	kept := p.pipeForLog()
	c := p.real[s.connection]
	c.put(scriptOf(commands)...)
	c.flush()
	pipe, err := os.Open(p.log) // waits for the script
	must(err)
	p.clock.Freeze(time.UnixMicro(p.us + took))
	must(os.Rename(kept, p.log))
	_, err = io.Copy(io.Discard, pipe)
	must(err)
	pipe.Close()
	real.replies, real.aborted = together(c.read(), commands)
	model = p.takeModel(s, commands)
	p.us += took
	return model, real
}

// pipeForLog puts a pipe where the server's log is, and says where that is kept meanwhile.
func (p *pair) pipeForLog() (kept string) {
	kept = p.log + ".kept"
	must(os.Rename(p.log, kept))
	must(syscall.Mkfifo(p.log, 0o600))
	return kept
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
