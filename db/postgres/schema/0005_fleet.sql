-- Servers that have the database open. Each proves that it lives by the database's clock; what those claimed that do not is given back.
CREATE TABLE servers (id uuid PRIMARY KEY, until timestamptz NOT NULL);

-- What only one server may have at a time: hosts whose pages it asks for (kind 1), crawls that it runs (2), webhooks that it tells (3).
CREATE TABLE holds (kind smallint, name text COLLATE "C", server uuid NOT NULL, PRIMARY KEY (kind, name)) WITH (fillfactor = 50);
CREATE INDEX holds_server ON holds (server);

-- Which of the waiting reports came last is how other servers see that something has come.
CREATE INDEX queue_latest ON queue (queued);

-- What is due of all accounts, so that looking for it does not depend on how many accounts there are: crawls by creation, schedules and the ends of
-- what is accepted by their moments, deliveries by their moments behind the webhook.
CREATE INDEX things_due ON things (bucket, key, account) WHERE bucket IN ('crawls_open', 'crawls_dropped', 'schedules_due', 'accepted_ends', 'judging');
CREATE INDEX things_told ON things (substring(key FROM 17 FOR 8), account) WHERE bucket = 'deliveries_due';
