-- A lobby may start by itself at a time that its host has set.
ALTER TABLE match ADD COLUMN starts_at INTEGER;                        -- seconds since 1970; NULL: by a press alone
ALTER TABLE match ADD COLUMN starts_soon INTEGER NOT NULL DEFAULT 0;   -- 1: its players are to be reminded
ALTER TABLE match ADD COLUMN missed_start TEXT NOT NULL DEFAULT '';    -- "<when> <reason>": it could not start then
CREATE INDEX match_by_start ON match (starts_at) WHERE starts_at IS NOT NULL AND status = 'lobby';

-- Of a lobby's post: the start of which its players have been reminded.
ALTER TABLE post ADD COLUMN reminded INTEGER;

-- Whether a lobby with a start time becomes an event of its server.
ALTER TABLE server ADD COLUMN events INTEGER NOT NULL DEFAULT 0;

-- Each change of who sits in a seat of a match that has begun, in the order in which they came.
CREATE TABLE seat_change (
    match INTEGER NOT NULL REFERENCES match (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,                   -- 0, 1, 2 …
    moves INTEGER NOT NULL,                    -- the length of the log then
    seat INTEGER NOT NULL,
    kind TEXT NOT NULL,                        -- 'left', 'removed', 'replaced', 'handed_over', 'took_over', 'came_back'
    user INTEGER,                              -- the player who left or sat down; NULL: their data was deleted
    name TEXT NOT NULL,                        -- that player's name; '': their data was deleted
    computer TEXT NOT NULL,                    -- the computer that sat down or gave way; '': none
    PRIMARY KEY (match, number)
) STRICT, WITHOUT ROWID;
