-- Generations of reports in small, packed one behind the other (db/internal/past): a chunk stands under the number of its first one. lists are the
-- lists of checks that chunks refer to, found_before what the generations before the newest success have found (JSON, zstd).
CREATE TABLE generations (account int, report uuid, first int, chunk bytea NOT NULL, PRIMARY KEY (account, report, first));
ALTER TABLE generations ALTER chunk SET STORAGE EXTERNAL;
CREATE TABLE check_lists (account int, key bigint, packed bytea NOT NULL, PRIMARY KEY (account, key));
CREATE TABLE found_before (account int, report uuid, number int, packed bytea NOT NULL, PRIMARY KEY (account, report, number));
ALTER TABLE found_before ALTER packed SET STORAGE EXTERNAL;
