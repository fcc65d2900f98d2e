package bolt

import (
	"encoding/binary"

	"sitegrade/audit"
	"sitegrade/db/internal/record"
)

// siblings returns the addresses of other pages of the project that have a trait in common with r.
func (a *accountTx) siblings(r *record.Record) (audit.Siblings, error) {
	var s audit.Siblings
	for trait, hash := range r.Traits {
		if hash == 0 {
			continue
		}
		urls, err := a.urlsAlike(trait, r, hash)
		if err != nil {
			return s, err
		}
		s[trait] = urls
	}
	return s, nil
}

// urlsAlike returns up to audit.MaxEvidence other urls of r's project with that trait, each once.
func (a *accountTx) urlsAlike(trait int, r *record.Record, hash uint64) ([]string, error) {
	prefix := alikePrefix(trait, r.Project, hash)
	own := record.Hash(r.URL)
	var urls []string
	c := a.bucket(alikeBucket).Cursor()
	k, _ := c.Seek(prefix)
	for len(urls) < audit.MaxEvidence && len(k) == len(prefix)+24 && string(k[:len(prefix)]) == string(prefix) {
		urlHash := binary.BigEndian.Uint64(k[len(prefix):])
		if urlHash != own {
			other, err := a.record(keyID(k))
			if err != nil {
				return nil, err
			}
			urls = append(urls, other.URL)
		}
		if urlHash == 1<<64-1 {
			break
		}
		k, _ = c.Seek(binary.BigEndian.AppendUint64(prefix[:len(prefix):len(prefix)], urlHash+1))
	}
	return urls, nil
}

// alikeKeys returns the keys under which a record is found by others that have a trait in common with it.
func alikeKeys(r *record.Record) [][]byte {
	var keys [][]byte
	for i, hash := range r.Traits {
		if hash != 0 {
			b := alikePrefix(i, r.Project, hash)
			b = binary.BigEndian.AppendUint64(b, record.Hash(r.URL))
			keys = append(keys, append(b, r.ID[:]...))
		}
	}
	return keys
}

func alikePrefix(trait int, project uint32, hash uint64) []byte {
	b := make([]byte, 0, 37)
	b = append(b, byte(trait))
	b = binary.BigEndian.AppendUint32(b, project)
	return binary.BigEndian.AppendUint64(b, hash)
}
