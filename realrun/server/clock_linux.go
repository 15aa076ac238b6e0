package server

import (
	"os"
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/unix"
)

const clockBytes = int(unsafe.Sizeof(clockWords{}))

func (c *Clock) mapFile(file *os.File) error {
	if err := file.Truncate(int64(clockBytes)); err != nil {
		return err
	}
	memory, err := unix.Mmap(int(file.Fd()), 0, clockBytes, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		return err
	}
	c.words = (*clockWords)(unsafe.Pointer(unsafe.SliceData(memory)))
	return nil
}

func (c *Clock) unmap() {
	_ = unix.Munmap(unsafe.Slice((*byte)(unsafe.Pointer(c.words)), clockBytes)) // fails only for what was never mapped
	c.words = nil
}

func (c *Clock) load(word *int64) int64     { return atomic.LoadInt64(word) }
func (c *Clock) store(word *int64, n int64) { atomic.StoreInt64(word, n) }
