package live

import "time"

// removalTime is about how long a transaction may take that goes through many reports. Whoever writes meanwhile waits for it.
const removalTime = 8 * time.Millisecond

// A transaction goes through so many reports at least and at most. Fewer take hardly less time, since most of it is the commit's.
const minRemoval, maxRemoval = 32, 500

// Pace fits the number of reports that a transaction goes through to the time that this takes, which depends on the disk and on how far
// apart in the file they stand.
type Pace struct {
	Reports int // for the next transaction
	began   time.Time
}

// NewPace returns the pace of a first transaction.
func NewPace() *Pace { return &Pace{Reports: minRemoval} }

// Begin notes when a transaction begins its work. What it waited for before is no reason to do less.
func (p *Pace) Begin() { p.began = time.Now() }

// End notes that the transaction is on disk.
func (p *Pace) End() { p.adapt(time.Since(p.began)) }

// adapt sets the number for the next transaction after one took so long. It moves by half or twice at most, so that a single slow
// commit changes little.
func (p *Pace) adapt(took time.Duration) {
	wanted := int(int64(p.Reports) * int64(removalTime) / max(1, int64(took)))
	p.Reports = min(max(wanted, p.Reports/2, minRemoval), 2*p.Reports, maxRemoval)
}
