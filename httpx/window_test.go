package httpx

import (
	"encoding/binary"
	"net/netip"
	"testing"
	"time"
)

func TestWindow(t *testing.T) {
	w := NewWindow(20, time.Minute)
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
	w = NewWindow(1, time.Minute)
	w.Enter(a, start)
	if got := w.Enter(a, start.Add(20*time.Second)); got != 40 {
		t.Errorf("waits %d seconds, not 40", got)
	}
	if w.Enter(netip.MustParseAddr("2001:db8::1"), start) != 0 || w.Enter(netip.MustParseAddr("2001:db8::2"), start) == 0 {
		t.Error("a network of IPv6 is not one client")
	}
}

func TestWindowIsBounded(t *testing.T) {
	w := NewWindow(20, time.Minute)
	for i := range uint32(3 * maxBuckets) {
		w.Enter(netip.AddrFrom4([4]byte(binary.BigEndian.AppendUint32(nil, i))), time.Unix(1_800_000_000, int64(i)))
	}
	if len(w.times) > maxBuckets {
		t.Errorf("%d clients are kept", len(w.times))
	}
}
