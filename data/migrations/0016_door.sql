-- Each change of who plays a seat of a match that has begun, in the order in which they came.
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

-- Whether hands explain a game to the person in their first match of it. The first match of a person known before this
-- is found from their seats, so the default changes nothing in a match that runs.
ALTER TABLE person ADD COLUMN wants_help INTEGER NOT NULL DEFAULT 1;
CREATE INDEX former_by_user ON former (user);  -- a hand asks for the seats that its player has left

-- The end of a match is told once, in a message of its own and to each player. Matches that ended before are not told
-- again: they have no such message, and their players need no ping.
UPDATE post SET pinged = 'the end', mentioned = 'the end'
WHERE place >= 0 AND match IN (SELECT id FROM match WHERE status IN ('over', 'stopped'));

-- A lobby's guests. Most have never used the bot: their rows refer to no person.
CREATE TABLE guest (
    match INTEGER NOT NULL REFERENCES match (id) ON DELETE CASCADE,
    user INTEGER NOT NULL,
    name TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('invited', 'accepted', 'declined', 'removed')),
    said INTEGER,                              -- message that invited them; -1: being sent; 0: it could not be; NULL: none
    PRIMARY KEY (match, user)
) STRICT, WITHOUT ROWID;
CREATE INDEX guest_by_user ON guest (user);  -- how often one was invited, and what is stored about one

-- A message that invites guests of a lobby. When the lobby is over it becomes an old_table, which is taken down.
CREATE TABLE invitation (
    match INTEGER NOT NULL REFERENCES match (id) ON DELETE CASCADE,
    channel INTEGER NOT NULL,
    message INTEGER NOT NULL,                  -- 0: a send whose answer never came may have made it
    since INTEGER NOT NULL,                    -- it was not sent before this instant, in seconds since 1970
    PRIMARY KEY (match, channel, message)
) STRICT, WITHOUT ROWID;

ALTER TABLE match ADD COLUMN closed INTEGER NOT NULL DEFAULT 0;   -- 1: only guests may sit down
ALTER TABLE seat ADD COLUMN ready INTEGER NOT NULL DEFAULT 0;     -- 1: this player of a lobby has pressed Start
ALTER TABLE seat ADD COLUMN team INTEGER;                         -- chosen in the lobby, from 0; NULL: left to the draw
