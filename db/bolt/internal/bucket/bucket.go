// Package bucket shows the buckets of a file as the rooms know them that keep records beside the reports.
package bucket

import (
	"go.etcd.io/bbolt"

	"sitegrade/db/internal/tenant"
)

// Bucket is a bucket of the file. It is a tenant.Bucket.
type Bucket struct{ file }

// file is what has the entries. It has a name of its own beside the method Bucket.
type file = *bbolt.Bucket

// Of returns a bucket of the file.
func Of(b *bbolt.Bucket) Bucket { return Bucket{b} }

// Cursor is documented in tenant.Bucket.
func (b Bucket) Cursor() tenant.Cursor { return b.file.Cursor() }

// Ahead is documented in tenant.Bucket. The file is mapped: nothing is gained.
func (b Bucket) Ahead(...[]byte) {}

// Bucket is documented in tenant.Bucket.
func (b Bucket) Bucket(name []byte) tenant.Bucket {
	if within := b.file.Bucket(name); within != nil {
		return Bucket{within}
	}
	return nil
}

// CreateBucketIfNotExists is documented in tenant.Bucket.
func (b Bucket) CreateBucketIfNotExists(name []byte) (tenant.Bucket, error) {
	made, err := b.file.CreateBucketIfNotExists(name)
	return Bucket{made}, err
}
