-- API keys of all accounts, found by the SHA-256 of their secrets.
CREATE TABLE keys (
	id uuid PRIMARY KEY, hash bytea NOT NULL UNIQUE, account int NOT NULL, name text COLLATE "C" NOT NULL, scopes smallint NOT NULL,
	created bigint NOT NULL, expires bigint NOT NULL, revoked bigint NOT NULL, last_used bigint NOT NULL);
CREATE INDEX keys_account ON keys (account, created, id);
