-- Servers that have the database open. That which joined first runs what only one runs: schedules, deliveries and crawls. Each proves that it lives by the database's clock; what those claimed that do not is given back.
CREATE TABLE servers (id uuid PRIMARY KEY, joined timestamptz NOT NULL, until timestamptz NOT NULL);

-- Places for audits of a host, n of them for all servers together.
CREATE TABLE slots (host text COLLATE "C", n smallint, server uuid NOT NULL, PRIMARY KEY (host, n)) WITH (fillfactor = 50);
CREATE INDEX slots_server ON slots (server);

-- Which of the waiting reports came last is how other servers see that something has come.
CREATE INDEX queue_latest ON queue (queued);

CREATE INDEX things_bucket ON things (bucket, account) WHERE bucket = 'crawls_dropped';
