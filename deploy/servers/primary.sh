#!/bin/sh
# What the image of PostgreSQL runs once in a new primary: the database with its owner, who may do nothing beyond it, and the role of standbys.
# Commits wait for a standby from the next start on.
set -eu
psql -v ON_ERROR_STOP=1 -v password="$POSTGRES_PASSWORD" -v replication="$REPLICATION_PASSWORD" <<'SQL'
CREATE ROLE sitegrade LOGIN PASSWORD :'password';
CREATE DATABASE sitegrade OWNER sitegrade TEMPLATE template0 ENCODING 'UTF8';
CREATE ROLE replicator LOGIN REPLICATION PASSWORD :'replication';
ALTER SYSTEM SET synchronous_standby_names = '*';
SQL
echo "host replication replicator samenet scram-sha-256" >> "$PGDATA/pg_hba.conf"
