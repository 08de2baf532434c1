-- Several processes of one bot share the gateway and the requests. Instants are milliseconds since 1970 by the clock of
-- the database. SQLite, which one process uses, leaves these tables empty.
CREATE TABLE gateway_process (
    id TEXT PRIMARY KEY,                       -- drawn at its start
    total INTEGER NOT NULL,                    -- the number of shards that it knows
    until INTEGER NOT NULL,                    -- later it counts as dead
    leaving INTEGER NOT NULL DEFAULT 0         -- 1: it hands its shards over and takes none
) STRICT;

CREATE TABLE shard (
    total INTEGER NOT NULL,
    number INTEGER NOT NULL,                   -- from 0
    holder TEXT,                               -- a process; NULL: none
    until INTEGER NOT NULL DEFAULT 0,          -- later another process may take it
    epoch INTEGER NOT NULL DEFAULT 0,          -- grows with each new holder
    heir TEXT,                                 -- the process that connects to it, to be its next holder
    heir_until INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (total, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE identify (
    bucket INTEGER PRIMARY KEY,                -- Discord counts the shards of a bucket together
    free_at INTEGER NOT NULL                   -- when the next shard of it may identify
) STRICT;

CREATE TABLE budget (
    name TEXT PRIMARY KEY,
    tokens INTEGER NOT NULL,                   -- thousandths of a request
    counted_at INTEGER NOT NULL
) STRICT;

CREATE TABLE invalid_requests (
    minute INTEGER NOT NULL,                   -- since 1970
    process TEXT NOT NULL,                     -- so two processes never write to one row
    count INTEGER NOT NULL,
    PRIMARY KEY (minute, process)
) STRICT, WITHOUT ROWID;
