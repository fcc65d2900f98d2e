package reports

import (
	"bytes"
	"compress/flate"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
)

// spool keeps on the disk what would take too much memory: records that are written once and read in any order. Its file is temporary.
type spool struct {
	file *os.File
	size int64
	z    *flate.Writer // of all records in turn, since a new one costs more than to write a record
}

// place says where a record is.
type place struct {
	at     int64
	length int32 // 0: nowhere
}

func newSpool() (*spool, error) {
	f, err := os.CreateTemp("", "sitegrade-crawl-")
	if err != nil {
		return nil, err
	}
	_ = os.Remove(f.Name()) // at once, where systems can, so that nothing stays when the process is killed
	z, err := flate.NewWriter(nil, flate.BestSpeed)
	return &spool{file: f, z: z}, err
}

// put keeps a record, which is stored as JSON.
func (s *spool) put(record any) (place, error) {
	var b bytes.Buffer
	s.z.Reset(&b)
	if err := errors.Join(json.NewEncoder(s.z).Encode(record), s.z.Close()); err != nil {
		return place{}, err
	}
	p := place{s.size, int32(b.Len())}
	_, err := s.file.WriteAt(b.Bytes(), s.size)
	s.size += int64(b.Len())
	return p, err
}

// get reads a record.
func (s *spool) get(p place, record any) error {
	return json.NewDecoder(flate.NewReader(io.NewSectionReader(s.file, p.at, int64(p.length)))).Decode(record)
}

// close removes the file.
func (s *spool) close() error {
	err := s.file.Close()
	if gone := os.Remove(s.file.Name()); gone != nil && !errors.Is(gone, fs.ErrNotExist) {
		err = errors.Join(err, gone)
	}
	return err
}
