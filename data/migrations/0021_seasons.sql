-- Seasons: in each round everyone who takes part plays at a table that was drawn.
CREATE TABLE season (
    id INTEGER PRIMARY KEY AUTOINCREMENT,      -- never used twice: buttons name it
    guild INTEGER NOT NULL,
    channel INTEGER NOT NULL,
    opener INTEGER NOT NULL,                   -- a user; 0: their data was deleted
    game TEXT NOT NULL,
    name TEXT NOT NULL,
    locale TEXT NOT NULL,
    seats INTEGER NOT NULL,                    -- players wished at a table
    rounds INTEGER NOT NULL,                   -- 0: as many as it takes to meet all others; settled at the start
    days INTEGER NOT NULL,                     -- that a round lasts at most
    clock TEXT NOT NULL,
    secret TEXT NOT NULL,                      -- only its SHA-256 is shown before the end
    status TEXT NOT NULL CHECK (status IN ('open', 'playing', 'over', 'stopped')),
    version INTEGER NOT NULL DEFAULT 1,
    round INTEGER NOT NULL DEFAULT 0,          -- the round under way, from 1
    round_ends INTEGER,                        -- seconds since 1970
    touched_at INTEGER NOT NULL,               -- when a person last did something before the start
    ended_at INTEGER,
    message INTEGER,                           -- the season's message; NULL: not sent yet
    shown INTEGER NOT NULL DEFAULT 0,          -- the version that it shows
    last_message INTEGER                       -- the message that tells the end
) STRICT;
CREATE UNIQUE INDEX season_in_channel ON season (channel, game) WHERE status IN ('open', 'playing');
CREATE INDEX season_by_channel ON season (channel, id);
CREATE INDEX season_behind ON season (id) WHERE shown < version;
CREATE INDEX season_by_end ON season (ended_at) WHERE ended_at IS NOT NULL;

CREATE TABLE entrant (
    season INTEGER NOT NULL REFERENCES season (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,                   -- from 0, in the order in which they joined
    user INTEGER REFERENCES person (user),     -- NULL: that user's data was deleted
    name TEXT NOT NULL,
    PRIMARY KEY (season, number),
    UNIQUE (season, user)
) STRICT, WITHOUT ROWID;
CREATE INDEX entrant_by_user ON entrant (user) WHERE user IS NOT NULL;

-- A table of a season is opened once: with its match, in one transaction.
CREATE TABLE season_table (
    season INTEGER NOT NULL REFERENCES season (id) ON DELETE CASCADE,
    round INTEGER NOT NULL,                    -- from 1
    number INTEGER NOT NULL,                   -- from 0
    places TEXT NOT NULL,                      -- the numbers of its players, in the order of its lobby
    match INTEGER UNIQUE,                      -- NULL: not opened yet. The match may be deleted before the season
    points TEXT,                               -- twice the points of each of these players; NULL: not counted yet
    winners TEXT,                              -- the numbers of the players who won
    PRIMARY KEY (season, round, number)
) STRICT, WITHOUT ROWID;
