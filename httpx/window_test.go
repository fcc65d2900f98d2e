package httpx

import (
	"encoding/binary"
	"net/netip"
	"testing"
	"time"
)

func TestWindow(t *testing.T) {
	w := NewWindow(20, time.Minute, nil)
	start := time.Unix(1_800_000_000, 0)
	a, b := netip.MustParseAddr("192.0.2.1"), netip.MustParseAddr("192.0.2.2")
	through := 0
	for i := range 10_000 { // 100 a second
		if w.Enter(a, start.Add(time.Duration(i)*10*time.Millisecond)) == 0 {
			through++
		}
	}
	if through != 40 { // of 100 seconds, 20 in the first moment and 20 a minute later
		t.Errorf("%d came through", through)
	}
	if got := cap(w.times[netip.MustParsePrefix("192.0.2.1/32")]); got > 64 {
		t.Errorf("%d times are kept", got)
	}
	if w.Enter(b, start) != 0 {
		t.Error("another client waits")
	}
	w = NewWindow(1, time.Minute, nil)
	w.Enter(a, start)
	if got := w.Enter(a, start.Add(20*time.Second)); got != 40 {
		t.Errorf("waits %d seconds, not 40", got)
	}
	if w.Enter(netip.MustParseAddr("2001:db8::1"), start) != 0 || w.Enter(netip.MustParseAddr("2001:db8::2"), start) == 0 {
		t.Error("a network of IPv6 is not one client")
	}
}

// TestWindowOfServers lets the share of one server through, and tells how long the rest must wait.
func TestWindowOfServers(t *testing.T) {
	servers := 1
	w := NewWindow(20, time.Minute, func() int { return servers })
	start, client := time.Unix(1_800_000_000, 0), netip.MustParseAddr("192.0.2.1")
	for i := range 12 {
		if w.Enter(client, start.Add(time.Duration(i)*time.Second)) != 0 {
			t.Fatalf("post %d waits", i)
		}
	}
	servers = 3
	if got := w.Enter(client, start.Add(12*time.Second)); got != 54 { // until the seventh has passed, so that six are left of which one may go
		t.Errorf("waits %d seconds", got)
	}
	if got := w.Enter(client, start.Add(66*time.Second)); got != 0 {
		t.Errorf("waits %d seconds more", got)
	}
}

func TestWindowIsBounded(t *testing.T) {
	w := NewWindow(20, time.Minute, nil)
	for i := range uint32(3 * maxBuckets) {
		w.Enter(netip.AddrFrom4([4]byte(binary.BigEndian.AppendUint32(nil, i))), time.Unix(1_800_000_000, int64(i)))
	}
	if len(w.times) > maxBuckets {
		t.Errorf("%d clients are kept", len(w.times))
	}
}
