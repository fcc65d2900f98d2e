-- What all servers must know of each other for a moment: when all is back that was used of an allowance (db.Allowance), and which create with an
-- idempotency key (its SHA-256) a server serves, with what that asks for (db.Asked), at most until a moment.
CREATE TABLE allowances (kind text COLLATE "C", name text COLLATE "C", back timestamptz NOT NULL, PRIMARY KEY (kind, name)) WITH (fillfactor = 50);
CREATE TABLE served (account int, key bytea, server uuid NOT NULL, asked bytea NOT NULL, until timestamptz NOT NULL, PRIMARY KEY (account, key));
CREATE INDEX served_server ON served (server);

-- A sum of the secret of each server, which all are to have in common; null until it is told.
ALTER TABLE servers ADD secret text;
