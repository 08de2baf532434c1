-- What the owners of a server have set, and matches that pause while the bot is not there.

-- A server without a row is as the bot comes: everything is allowed.
CREATE TABLE server (
    guild INTEGER PRIMARY KEY,
    channels TEXT NOT NULL,                    -- JSON: channels for tables; none: all
    games TEXT NOT NULL,                       -- JSON: games that may be played; none: all
    threads TEXT NOT NULL CHECK (threads IN ('allowed', 'never', 'always')),
    most_open INTEGER,                         -- open matches in the server; NULL: any number
    most_each INTEGER,                         -- open matches of one player in it; NULL: any number
    role INTEGER                               -- who may open tables; NULL: everybody
) STRICT;

-- Seconds since 1970, since when the bot is not in the server; it stays where the match ended for that reason.
ALTER TABLE match ADD COLUMN paused_at INTEGER;

CREATE INDEX match_by_guild ON match (guild, status);
CREATE INDEX match_paused ON match (id) WHERE paused_at IS NOT NULL;
