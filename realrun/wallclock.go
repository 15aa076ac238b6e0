package realrun

import (
	"time"

	"locklab/worker/wire"
)

// byWallClock makes an instant of this machine's wall clock of an instant of the run. What the client's clock is ahead of or
// behind that is in the instant already, so that both worlds declare it alike.
func (d *driver) byWallClock(c *wire.Command) {
	if c.Options&wire.ForDeadline != wire.AtRun {
		return
	}
	wall := time.Now().UnixNano() + c.TTL - d.now()
	c.Options = c.Options&^wire.ForDeadline | wire.PXAT
	c.TTL = wall / int64(time.Millisecond)
}
