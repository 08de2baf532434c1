-- Which process shows a match, or does what one process at a time may do (data/records/leases.py). Instants are
-- milliseconds since 1970 by the clock of the database.

CREATE TABLE lease (
    match bigint PRIMARY KEY REFERENCES match (id) ON DELETE CASCADE,
    holder text COLLATE "C" NOT NULL,
    until bigint NOT NULL,
    epoch bigint NOT NULL,
    done bigint NOT NULL DEFAULT 0,
    wake bigint NOT NULL DEFAULT 0
);

CREATE TABLE duty (
    name text COLLATE "C" PRIMARY KEY,
    holder text COLLATE "C" NOT NULL,
    until bigint NOT NULL,
    epoch bigint NOT NULL
);

ALTER TABLE post ADD COLUMN revision bigint NOT NULL DEFAULT 0;
CREATE INDEX lease_held ON lease (holder) WHERE until > 0;
CREATE INDEX match_by_end ON match (ended_at) WHERE ended_at IS NOT NULL;
