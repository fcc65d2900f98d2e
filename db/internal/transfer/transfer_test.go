package transfer

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"sitegrade/db"
)

// TestImportKeepsTheOrder imports several batches, some lines of which are empty or there already.
func TestImportKeepsTheOrder(t *testing.T) {
	const lines = 2*Batch + 10
	var input strings.Builder
	for i := range lines {
		fmt.Fprintf(&input, `{"kind":"project","name":"%d"}`+"\n", i)
		if i%1000 == 0 {
			input.WriteString(" \n")
		}
	}
	next := 0
	var last db.ImportStats
	stats, err := Import(t.Context(), "a", strings.NewReader(input.String()), func(batch []Line) (int, error) {
		for _, l := range batch {
			if l.Account != "a" || l.Project.Name != fmt.Sprint(next) {
				t.Fatalf("%+v is the line %d", l.Project, next)
			}
			next++
		}
		return 1, nil
	}, func(s db.ImportStats) { last = s })
	if want := (db.ImportStats{Lines: lines + 5, Imported: lines - 3, Skipped: 3}); err != nil || stats != want || last != want || next != lines {
		t.Errorf("%+v, at last %+v, not %+v: %v", stats, last, want, err)
	}
}

// TestImportSaysWhereItEnded stops an import by a bad line, by a store that fails and by its context.
func TestImportSaysWhereItEnded(t *testing.T) {
	good := strings.Repeat(`{"kind":"project","name":"p"}`+"\n", Batch)
	broken := errors.New("broken")
	ctx, cancel := context.WithCancel(t.Context())
	for _, c := range []struct {
		input string
		store error
		want  string
	}{
		{good + "\n{}\nnonsense\n", nil, fmt.Sprintf("line %d: ", Batch+2)},
		{good + good, broken, fmt.Sprintf("lines 1 to %d: broken", Batch)},
		{good + strings.Repeat("x", MaxLine+1), nil, fmt.Sprintf("line %d: longer than", Batch+1)},
	} {
		_, err := Import(ctx, "", strings.NewReader(c.input), func([]Line) (int, error) { return 0, c.store }, nil)
		if err == nil || !strings.HasPrefix(err.Error(), c.want) || c.store != nil && !errors.Is(err, c.store) {
			t.Errorf("%v, not %s", err, c.want)
		}
	}
	if _, err := Import(ctx, "", strings.NewReader(good+good), func([]Line) (int, error) {
		cancel()
		return 0, nil
	}, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("when its context ends: %v", err)
	}
}

// TestWriteAccountGoesOnBehindTheLast writes reports piece by piece.
func TestWriteAccountGoesOnBehindTheLast(t *testing.T) {
	pieces := [][]int{{1, 2}, {}, {7}} // a piece may have nothing to show
	var last uuid.UUID
	var out bytes.Buffer
	err := WriteAccount(t.Context(), &out, func(e *json.Encoder) error { return e.Encode("head") },
		func(after uuid.UUID, e *json.Encoder) (uuid.UUID, bool, error) {
			if after != last {
				t.Errorf("it goes on behind %s, not %s", after, last)
			}
			for _, n := range pieces[0] {
				if err := e.Encode(n); err != nil {
					return last, false, err
				}
			}
			pieces = pieces[1:]
			binary.BigEndian.PutUint64(last[:], uint64(len(pieces)+1))
			return last, len(pieces) > 0, nil
		})
	if got := strings.Fields(out.String()); err != nil || !slices.Equal(got, []string{`"head"`, "1", "2", "7"}) {
		t.Errorf("got %v, %v", got, err)
	}
	if err := WriteAccount(t.Context(), failing{}, func(e *json.Encoder) error { return e.Encode("head") }, nil); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("a writer that fails gives %v", err)
	}
}

// failing is a writer whose reader has gone.
type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

func FuzzImportLine(f *testing.F) {
	f.Add([]byte(`{"kind":"report","url":"https://example.com/","result":"good","score":5,"checks":[]}`))
	f.Add([]byte(`{"kind":"key","hash":"00","scopes":"read"}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		in, err := parseLine(line, "")
		if err == nil && in.Kind == db.ReportLine && (in.Record.URL == "" || in.Report.Project.Name == "") {
			t.Fatalf("%s gives %+v", line, in)
		}
	})
}
