package bolt

import (
	"crypto/sha256"
	"encoding/binary"

	"sitegrade/audit"
)

// siblings returns the addresses of other pages of the project that have a trait in common with r.
func (a *accountTx) siblings(r *record) (audit.Siblings, error) {
	var s audit.Siblings
	for trait, hash := range r.traits {
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
func (a *accountTx) urlsAlike(trait int, r *record, hash uint64) ([]string, error) {
	prefix := alikePrefix(trait, r.project, hash)
	own := textHash(r.url)
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
			urls = append(urls, other.url)
		}
		if urlHash == 1<<64-1 {
			break
		}
		k, _ = c.Seek(binary.BigEndian.AppendUint64(prefix[:len(prefix):len(prefix)], urlHash+1))
	}
	return urls, nil
}

// traits are hashes of what a page has in common with copies of it; 0 for what it has not.
type traits [4]uint64

// The traits, in the order of audit.Traits.
func traitsOf(p *audit.Page) traits {
	var t traits
	for i, text := range p.Traits() {
		t[i] = textHash(text)
	}
	return t
}

// textHash returns 64 bits that are the same for the same text, and 0 only for the empty one.
func textHash(text string) uint64 {
	if text == "" {
		return 0
	}
	sum := sha256.Sum256([]byte(text))
	return binary.BigEndian.Uint64(sum[:8]) | 1
}

// alikeKeys returns the keys under which a record is found by others that have a trait in common with it.
func alikeKeys(r *record) [][]byte {
	var keys [][]byte
	for i, hash := range r.traits {
		if hash != 0 {
			b := alikePrefix(i, r.project, hash)
			b = binary.BigEndian.AppendUint64(b, textHash(r.url))
			keys = append(keys, append(b, r.id[:]...))
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
