package bolt

import (
	"encoding/binary"
	"fmt"

	"go.etcd.io/bbolt"

	"sitegrade/db/bolt/internal/kept"
	"sitegrade/db/bolt/internal/keyring"
	"sitegrade/db/internal/crawled"
	"sitegrade/db/internal/front"
	"sitegrade/db/internal/issues"
	"sitegrade/db/internal/planned"
	"sitegrade/db/internal/promised"
	"sitegrade/db/internal/told"
)

// The schema, version 2. Numbers are big endian; times are milliseconds since 1970; ids are the 16 bytes of a UUIDv7.
//
//	meta                               "schema" -> version
//	keys        key id                 -> API key
//	key_hashes  SHA-256 of the secret  -> key id
//	accounts    name                   -> a bucket for each account, in which:
//
//	  settings     "share key"                        -> 16 bytes, from which the addresses of shared pages are made
//	               "account"                          -> how the account is set up; absent until something is changed
//	               "ended"|seconds since 1970|id      -> 1      sign-ins that ended before this time, which was theirs
//	  logos        id                                 -> the logo of the account (JSON)
//	  forms        id                                 -> form (JSON)
//	  projects     number                             -> project
//	  project_ids  id                                 -> number
//	  reports      id                                 -> report, once it is indexed
//	  fresh        id                                 -> report that was never audited and is not indexed yet
//	  found        id                                 -> what its last successful audit found (JSON, zstd)
//	  found_before id|number                          -> the same of the generations before it, as many as are kept
//	  generations  id|number of the first, turned round -> chunk of the report's packed generations (db/internal/past)
//	  check_lists  hash                               -> list of checks that generations refer to (JSON, zstd)
//	  order        result|scope|column|sort key|id    -> project number in scope 0, nothing in the others
//	  marks        a key of order, or its first 6 bytes -> number of entries from it to the next mark
//	  counts       scope                              -> number of reports without result, bad, decent, good
//	  search       id of the block's first row        -> block of up to 64 rows: trigrams, columns, folded urls
//	  slices       id of a block's first row          -> trigrams of up to 64 blocks from that on, by trigram
//	  alike        trait|project|hash|url hash|id     -> -
//	  queue        queued at|id                       -> -      indexed reports that wait for an audit
//	  dropped      project number                     -> -      deleted projects whose reports are still being removed
//	  answers      SHA-256 of an idempotency key      -> the response that is kept
//	  answer_times stored at|SHA-256                  -> -
//	  webhooks     id                                 -> webhook (JSON, as all that follows)
//	  events       id                                 -> event, with the number of its deliveries
//	  deliveries   webhook id|delivery id             -> delivery
//	  deliveries_due webhook id|next attempt|delivery id -> -   those that are pending
//	  schedules    id                                 -> schedule, with how far its run has come
//	  schedules_due moment|id                        -> -, or 1 while it runs: the moment is that of its next run, or since when it waits to go on
//	  schedules_of id of a report or project|id       -> -
//	  crawls       id                                 -> crawl
//	  crawls_open  id                                 -> -      crawls that wait or run
//	  crawls_of    id of a project|id                 -> -
//	  crawl_data   crawl id|kind|...                  -> addresses of a list, visits while it runs, rows once it has ended (zstd)
//	  failing      project number|report id           -> the checks that fail on an audited report, 4 bytes each (db/internal/issues)
//	  failing_counts project number                   -> of how many reports that is known, and on how many of them each check fails
//	  crawls_dropped crawl id                         -> what of its data is still being removed
//	  promises     project number                     -> what it promises, and how it stands to that
//	  standings    report id                          -> what a budget looks at of it
//	  breaking     project number|report id           -> -      reports that break the budget
//	  judging      project number                     -> the last report that was judged by a changed budget
//	  accepted     project number                     -> a bucket: id -> accepted outcome
//	  accepted_ends expires at|project number|id      -> -
//
// A scope is a project's number, or 0 for the whole account. Every indexed report stands six times in order: in both its
// scopes, for each of three columns (id, generated_at, url). A list is one range of order, or a merge of the ranges of the
// four results; marks let it skip to any page; counts give its total.
//
// A new report stays in fresh, where creating it costs one small write, until its first audit is done or freshLimit others
// have come after it. Fresh reports have no result, so lists that filter by result need not look at them, and the other
// lists merge them in. See index.go for what is derived from a record.
//
// A generation is stored once there is a second one, or when it failed; before that, what the report shows is its generation 1. So nearly all
// reports need nothing in generations, those of version 1 among them.
//
// Version 2 added buckets to every account, and changed nothing that was there: whatever began to be kept with it is absent from what an
// earlier version wrote.
const schemaVersion = 2

var (
	metaBucket      = []byte("meta")
	keysBucket      = []byte(keyring.Keys)
	keyHashesBucket = []byte(keyring.Hashes)
	accountsBucket  = []byte("accounts")

	schemaKey   = []byte("schema")
	shareKeyKey = []byte("share key")
)

var topBuckets = [][]byte{metaBucket, keysBucket, keyHashesBucket, accountsBucket}

// accountBucket is one of the buckets of an account.
type accountBucket uint8

const (
	settingsBucket accountBucket = iota
	projectsBucket
	projectIDsBucket
	reportsBucket
	freshBucket
	foundBucket
	orderBucket
	marksBucket
	countsBucket
	searchBucket
	slicesBucket
	alikeBucket
	queueBucket
	droppedBucket
	keptBucket
	keptTimesBucket
	webhooksBucket
	eventsBucket
	deliveriesBucket
	deliveriesDueBucket
	schedulesBucket
	schedulesDueBucket
	schedulesOfBucket
	crawlsBucket
	crawlsOpenBucket
	crawlsOfBucket
	crawlDataBucket
	crawlsDroppedBucket
	failingBucket
	failingCountsBucket
	generationsBucket
	checkListsBucket
	foundBeforeBucket
	promisesBucket
	standingsBucket
	breakingBucket
	judgingBucket
	acceptedBucket
	acceptedEndsBucket
	logosBucket
	formsBucket
)

var accountBuckets = [...]string{
	settingsBucket: "settings", projectsBucket: "projects", projectIDsBucket: "project_ids", reportsBucket: "reports", freshBucket: "fresh",
	foundBucket: "found", orderBucket: "order", marksBucket: "marks", countsBucket: "counts", searchBucket: "search", slicesBucket: "slices",
	alikeBucket: "alike", queueBucket: "queue", droppedBucket: "dropped", keptBucket: kept.Responses, keptTimesBucket: kept.Times,
	webhooksBucket: told.Webhooks, eventsBucket: told.Events, deliveriesBucket: told.Deliveries, deliveriesDueBucket: told.Due,
	schedulesBucket: planned.Schedules, schedulesDueBucket: planned.Due, schedulesOfBucket: planned.Of,
	crawlsBucket: crawled.Crawls, crawlsOpenBucket: crawled.Open, crawlsOfBucket: crawled.Of, crawlDataBucket: crawled.Data,
	crawlsDroppedBucket: crawled.Dropped, failingBucket: issues.Failing, failingCountsBucket: issues.Counts,
	generationsBucket: "generations", checkListsBucket: "check_lists", foundBeforeBucket: "found_before",
	promisesBucket: promised.Promises, standingsBucket: promised.Standings, breakingBucket: promised.Breaking, judgingBucket: promised.Judging,
	acceptedBucket: promised.Accepted, acceptedEndsBucket: promised.Ends, logosBucket: front.Logos, formsBucket: front.Forms,
}

func (b accountBucket) String() string { return accountBuckets[b] }

// initSchema writes the empty schema into a new file.
func initSchema(tx *bbolt.Tx) error {
	for _, name := range topBuckets {
		if _, err := tx.CreateBucket(name); err != nil {
			return err
		}
	}
	return putSchema(tx, schemaVersion)
}

func putSchema(tx *bbolt.Tx, version uint32) error {
	return tx.Bucket(metaBucket).Put(schemaKey, binary.BigEndian.AppendUint32(nil, version))
}

// readSchema returns the version of an open file.
func readSchema(tx *bbolt.Tx) (uint32, error) {
	meta := tx.Bucket(metaBucket)
	if meta == nil || len(meta.Get(schemaKey)) != 4 {
		return 0, fmt.Errorf("this is a bbolt file, but not a database of sitegrade")
	}
	return binary.BigEndian.Uint32(meta.Get(schemaKey)), nil
}
