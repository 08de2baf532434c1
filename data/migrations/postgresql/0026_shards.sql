-- The same as 0026_shards.sql of SQLite.
CREATE TABLE gateway_process (
    id text COLLATE "C" PRIMARY KEY,
    total bigint NOT NULL,
    until bigint NOT NULL,
    leaving bigint NOT NULL DEFAULT 0
);

CREATE TABLE shard (
    total bigint NOT NULL,
    number bigint NOT NULL,
    holder text COLLATE "C",
    until bigint NOT NULL DEFAULT 0,
    epoch bigint NOT NULL DEFAULT 0,
    heir text COLLATE "C",
    heir_until bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (total, number)
);

CREATE TABLE identify (
    bucket bigint PRIMARY KEY,
    free_at bigint NOT NULL
);

CREATE TABLE budget (
    name text COLLATE "C" PRIMARY KEY,
    tokens bigint NOT NULL,
    counted_at bigint NOT NULL
);

CREATE TABLE invalid_requests (
    minute bigint NOT NULL,
    process text COLLATE "C" NOT NULL,
    count bigint NOT NULL,
    PRIMARY KEY (minute, process)
);
