package calibrate

import (
	"fmt"
	"os"
	"strings"
	"time"
)

// Cost is what measuring takes of a processor, from 0 to 1 for all of one: so much of it is the supervisor, which starts, stops and
// attends the workers, and so much each worker.
type Cost struct{ Supervisor, Worker float64 }

// usage is the processor time that this process and its ended children have used by an instant.
type usage struct {
	at             time.Time
	self, children time.Duration
}

// cost is what was used since, by the supervisor and so many workers.
func (u usage) cost(workers int) Cost {
	now := cpuTimes()
	wall := now.at.Sub(u.at).Seconds()
	return Cost{
		Supervisor: (now.self - u.self).Seconds() / wall,
		Worker:     (now.children - u.children).Seconds() / wall / float64(workers),
	}
}

// processors are the times that the machine's processors spent together since its start, in ticks of the kernel.
type processors struct{ all, idle int64 }

// processorTimes reads /proc/stat; where there is none, the times are 0.
func processorTimes() (p processors) {
	data, _ := os.ReadFile("/proc/stat")
	line, _, _ := strings.Cut(string(data), "\n")
	var t [8]int64 // user, nice, system, idle, iowait, irq, softirq, steal
	_, _ = fmt.Sscanf(line, "cpu %d %d %d %d %d %d %d %d", &t[0], &t[1], &t[2], &t[3], &t[4], &t[5], &t[6], &t[7])
	for _, v := range t {
		p.all += v
	}
	p.idle = t[3] + t[4]
	return p
}
