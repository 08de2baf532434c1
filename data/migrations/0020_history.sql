-- What is remembered of matches that were played to their end: for histories, profiles, ratings and statistics.

-- 1: the lobby chose that the match counts for the ratings of its server.
ALTER TABLE match ADD COLUMN rated INTEGER NOT NULL DEFAULT 0;

-- Seconds that the turn had lasted when a player made the move; NULL: a computer made it, or an older version stored it.
ALTER TABLE move ADD COLUMN took INTEGER;

-- Whether others may see a user's finished matches: 1 or 0; NULL: as their server's managers say.
ALTER TABLE person ADD COLUMN shows_history INTEGER;
ALTER TABLE server ADD COLUMN shows_history INTEGER NOT NULL DEFAULT 1;

-- A player in results and ratings. Once a user's data is deleted, their results still belong together, but to no user.
CREATE TABLE player (
    id INTEGER PRIMARY KEY,
    user INTEGER UNIQUE                        -- NULL: that user's data was deleted
) STRICT;

CREATE TABLE result (
    number INTEGER PRIMARY KEY AUTOINCREMENT,  -- ratings take the results in this order
    match INTEGER NOT NULL UNIQUE REFERENCES match (id) ON DELETE CASCADE,
    guild INTEGER NOT NULL,
    game TEXT NOT NULL,
    ended_at INTEGER NOT NULL,                 -- seconds since 1970
    seats INTEGER NOT NULL,
    moves INTEGER NOT NULL,                    -- without those that were taken back
    rated INTEGER NOT NULL
) STRICT;
CREATE INDEX result_by_server ON result (guild, ended_at);
CREATE INDEX result_by_game ON result (guild, game, ended_at);
CREATE INDEX result_by_rating ON result (guild, game, number) WHERE rated;
CREATE INDEX result_by_end ON result (ended_at);

CREATE TABLE standing (
    match INTEGER NOT NULL REFERENCES result (match) ON DELETE CASCADE,
    seat INTEGER NOT NULL,
    player INTEGER REFERENCES player (id),     -- NULL: a computer
    side INTEGER NOT NULL,                     -- the same for the seats of a team
    rank INTEGER NOT NULL,                     -- 1 for all who won
    score INTEGER NOT NULL,
    decisions INTEGER NOT NULL,                -- moves whose time is known
    seconds INTEGER NOT NULL,                  -- that these took together
    points INTEGER,                            -- the player's rating after the match; NULL: it was not rated
    gain INTEGER,                              -- by which the match changed it
    honours TEXT NOT NULL DEFAULT '',          -- their keys, with spaces between
    PRIMARY KEY (match, seat)
) STRICT, WITHOUT ROWID;
CREATE INDEX standing_by_player ON standing (player, match) WHERE player IS NOT NULL;

-- The ratings that follow from the results, all-time and of each month. `base_…` is where the results begin that are
-- stored: those before were deleted after their time.
CREATE TABLE rating (
    guild INTEGER NOT NULL,
    game TEXT NOT NULL,
    month TEXT NOT NULL,                       -- "2026-11"; "": all-time
    player INTEGER NOT NULL REFERENCES player (id),
    mu REAL NOT NULL,
    sigma REAL NOT NULL,
    points INTEGER NOT NULL,                   -- what players see of both
    matches INTEGER NOT NULL,
    wins INTEGER NOT NULL,
    base_mu REAL,
    base_sigma REAL,
    base_matches INTEGER NOT NULL DEFAULT 0,
    base_wins INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (guild, game, month, player)
) STRICT, WITHOUT ROWID;
CREATE INDEX rating_by_points ON rating (guild, game, month, points DESC);
CREATE INDEX rating_by_player ON rating (player);

-- Figures of a game in a server, without names. They stay when the matches are deleted.
CREATE TABLE tally (
    guild INTEGER NOT NULL,
    game TEXT NOT NULL,
    kind TEXT NOT NULL,                        -- "seat", "option", "length" …, or one of the game's own
    name TEXT NOT NULL,
    of INTEGER NOT NULL,                       -- how often it was there
    hits INTEGER NOT NULL,                     -- how often it won, or what it amounts to
    PRIMARY KEY (guild, game, kind, name)
) STRICT, WITHOUT ROWID;
