-- Times are milliseconds since 1970, 0 for none. Account leads every key, so that the tables can be spread by it.
-- Texts that are sorted have the collation C: they sort by their bytes, as everywhere in Sitegrade.

-- share_key is what the addresses of an account's shared pages are made from.
CREATE TABLE accounts (name text COLLATE "C" PRIMARY KEY, account int NOT NULL UNIQUE, share_key bytea NOT NULL);

-- Whoever writes to an account locks its row here first. ready is raised by every change of a share key, in the row 0.
CREATE TABLE tenants (account int PRIMARY KEY, last_project int NOT NULL DEFAULT 0, shares bigint NOT NULL DEFAULT 0) WITH (fillfactor = 50);
INSERT INTO tenants (account) VALUES (0);

CREATE TABLE projects (
	account int, number int, id uuid NOT NULL, name text COLLATE "C" NOT NULL, folded text COLLATE "C" NOT NULL, created bigint NOT NULL,
	PRIMARY KEY (account, number), UNIQUE (account, folded), UNIQUE (account, id));
CREATE INDEX projects_created ON projects (account, created, id);

-- A report is settled once an audit of it has ended, or if it was imported. Those that were never audited have indexes of their own, so that
-- creating one costs little. url is null where it is as folded. queued is the report's turn, 0 when it does not wait.
CREATE TABLE reports (
	account int, id uuid, project int NOT NULL, created bigint NOT NULL, updated bigint NOT NULL, generated bigint NOT NULL,
	queued bigint NOT NULL, revision bigint NOT NULL, result smallint NOT NULL, status smallint NOT NULL, score smallint NOT NULL,
	privacy smallint NOT NULL, settled boolean NOT NULL, folded text COLLATE "C" NOT NULL, url text COLLATE "C", password_hash text COLLATE "C",
	error_code text COLLATE "C", error_detail text COLLATE "C", traits bytea,
	PRIMARY KEY (account, id)) WITH (fillfactor = 90);
CREATE INDEX reports_id ON reports (account, result, id) WHERE settled;
CREATE INDEX reports_generated ON reports (account, result, generated, id) WHERE settled;
CREATE INDEX reports_url ON reports (account, result, folded, id) WHERE settled;
CREATE INDEX reports_project_id ON reports (account, project, result, id) WHERE settled;
CREATE INDEX reports_project_generated ON reports (account, project, result, generated, id) WHERE settled;
CREATE INDEX reports_project_url ON reports (account, project, result, folded, id) WHERE settled;
CREATE INDEX reports_trigrams ON reports USING gin (folded gin_trgm_ops) WHERE settled;
CREATE INDEX reports_new ON reports (account, id, project) WHERE NOT settled;
CREATE INDEX reports_new_url ON reports (account, folded, id, project) WHERE NOT settled;

-- How many reports of each result a project has, and under 0 the account. marked are large projects, which have project_marks.
CREATE TABLE counts (
	account int, project int, none bigint NOT NULL, bad bigint NOT NULL, decent bigint NOT NULL, good bigint NOT NULL, marked boolean NOT NULL DEFAULT false,
	PRIMARY KEY (account, project)) WITH (fillfactor = 50);
CREATE INDEX counts_marked ON counts (account, project) WHERE marked;

-- Where the orders of settled reports are cut into stretches (internal/marks), and how many reports of each result a stretch has: by id (sorted 0), by
-- time of generation and id (1), by address and id (2). A stretch begins at its mark; the first mark of an order, 0, stands before everything.
CREATE TABLE marks (
	account int, sorted smallint, number int, generated bigint NOT NULL, folded text COLLATE "C" NOT NULL, id uuid NOT NULL,
	none bigint NOT NULL, bad bigint NOT NULL, decent bigint NOT NULL, good bigint NOT NULL,
	PRIMARY KEY (account, sorted, number)) WITH (fillfactor = 50);
CREATE INDEX marks_place ON marks (account, sorted, generated, folded, id);

-- The same stretches, with what they have of a large project.
CREATE TABLE project_marks (
	account int, project int, sorted smallint, number int, none bigint NOT NULL, bad bigint NOT NULL, decent bigint NOT NULL, good bigint NOT NULL,
	PRIMARY KEY (account, project, sorted, number)) WITH (fillfactor = 50);

-- What the last successful audit of a report found (JSON, zstd).
CREATE TABLE found (account int, id uuid, packed bytea NOT NULL, PRIMARY KEY (account, id));
ALTER TABLE found ALTER packed SET STORAGE EXTERNAL;

-- Reports of a project that have a trait in common. The hashes are unsigned, stored as the signed number of the same bits.
CREATE TABLE alike (
	account int, project int, trait smallint, hash bigint, url_hash bigint, id uuid,
	PRIMARY KEY (account, project, trait, hash, url_hash, id));

-- Reports that wait for an audit. server is which one audits it; null while not one does.
CREATE TABLE queue (
	account int, id uuid, queued bigint NOT NULL, url text COLLATE "C" NOT NULL, server uuid,
	PRIMARY KEY (account, id));
CREATE INDEX queue_turn ON queue (account, queued, id);
CREATE INDEX queue_server ON queue (server) WHERE server IS NOT NULL;

-- Deleted projects whose reports are still being removed.
CREATE TABLE dropped (account int, project int, PRIMARY KEY (account, project));

-- What creates with an idempotency key have made, by the SHA-256 of the key: a report, and others behind it, null for not one. asked and
-- password_hash say what was asked for, null where it is not known; response is zstd.
CREATE TABLE answers (
	account int, key bytea, report uuid NOT NULL, others uuid[], asked bytea, password_hash text COLLATE "C", stored bigint NOT NULL, status int NOT NULL, response bytea,
	PRIMARY KEY (account, key));
CREATE INDEX answers_stored ON answers (account, stored);
CREATE INDEX answers_report ON answers (account, report);
CREATE INDEX answers_others ON answers (account) WHERE others IS NOT NULL;
