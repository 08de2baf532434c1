-- Which process shows a match, or does what one process at a time may do. Only processes that share a PostgreSQL
-- database write here (data/records/leases.py). Instants are milliseconds since 1970 by the clock of the database.

CREATE TABLE lease (
    match INTEGER PRIMARY KEY REFERENCES match (id) ON DELETE CASCADE,
    holder TEXT NOT NULL,             -- the process
    until INTEGER NOT NULL,           -- 0: given back
    epoch INTEGER NOT NULL,           -- counts the processes that have held it
    done INTEGER NOT NULL DEFAULT 0,  -- the version of the match at which its holder had nothing left to do
    wake INTEGER NOT NULL DEFAULT 0   -- when to look at the match again; 0: once its version is another
) STRICT, WITHOUT ROWID;

CREATE TABLE duty (
    name TEXT PRIMARY KEY,
    holder TEXT NOT NULL,
    until INTEGER NOT NULL,
    epoch INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

ALTER TABLE post ADD COLUMN revision INTEGER NOT NULL DEFAULT 0;  -- counts the changes by several processes
CREATE INDEX lease_held ON lease (holder) WHERE until > 0;
CREATE INDEX match_by_end ON match (ended_at) WHERE ended_at IS NOT NULL;
