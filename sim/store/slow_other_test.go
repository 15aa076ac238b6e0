//go:build !linux

package store_test

// takeSlow is never called: without Linux there is no private server.
func (p *pair) takeSlow(*step) (model, real outcome) { panic("needs Linux") }
