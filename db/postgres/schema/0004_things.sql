-- What stands beside reports: webhooks, events and deliveries, schedules, crawls, promises, forms and the like. Each kind has buckets of its own, of
-- keys in their order, as db/internal's rooms describe them; a bucket within another has a name with a slash.
CREATE TABLE things (account int, bucket text COLLATE "C", key bytea, value bytea NOT NULL, PRIMARY KEY (account, bucket, key));
