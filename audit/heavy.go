package audit

import (
	"context"

	"golang.org/x/sync/semaphore"
)

// A page over heavySize is heavy: while it is read it takes up to readingWeight bytes of memory for each of its own, and then
// holdingWeight until its audit is done (measured with testdata/hostile.txt at 10 MiB; people's pages take as much, and are smaller). All
// heavy pages of a process together get heavyMemory; further ones wait. Others are too small to matter.
const (
	heavySize     = 1 << 20
	readingWeight = 10
	holdingWeight = 5
	heavyMemory   = 100 << 20
)

// heavyRoom is the memory of heavy pages.
type heavyRoom struct{ free *semaphore.Weighted }

func newHeavyRoom() heavyRoom { return heavyRoom{semaphore.NewWeighted(heavyMemory)} }

// heavyPlace is what one audit has of it.
type heavyPlace struct {
	room heavyRoom
	held int64
}

// take waits until there is room to read a page of that size, or ctx ends.
func (p *heavyPlace) take(ctx context.Context, size int) error {
	if size <= heavySize {
		return nil
	}
	wanted := min(int64(size)*readingWeight, heavyMemory)
	if err := p.room.free.Acquire(ctx, wanted); err != nil {
		return err
	}
	p.held = wanted
	return nil
}

// shrink returns back what only the reading took.
func (p *heavyPlace) shrink() { p.giveBack(p.held - p.held*holdingWeight/readingWeight) }

// leave returns everything back.
func (p *heavyPlace) leave() { p.giveBack(p.held) }

func (p *heavyPlace) giveBack(n int64) {
	p.room.free.Release(n)
	p.held -= n
}
