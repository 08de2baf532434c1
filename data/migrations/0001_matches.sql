-- Matches, their people, their moves, and the messages that show them.

CREATE TABLE person (
    user INTEGER PRIMARY KEY,
    name TEXT NOT NULL,              -- as last seen, for pictures drawn after a restart
    dm INTEGER,                      -- channel of direct messages, once opened
    dm_works INTEGER,                -- 1 yes, 0 refused; NULL not tried
    plays_forced INTEGER NOT NULL DEFAULT 0,   -- a move without a choice is played for them
    wants_text INTEGER NOT NULL DEFAULT 0      -- a transcript with each picture
) STRICT;

CREATE TABLE match (
    id INTEGER PRIMARY KEY AUTOINCREMENT,      -- never used twice: buttons name it
    game TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('lobby', 'playing', 'over', 'cancelled', 'stopped')),
    guild INTEGER NOT NULL,
    channel INTEGER NOT NULL,                  -- where it was opened
    place INTEGER NOT NULL,                    -- where its table is: that channel, or a thread of its own
    host INTEGER NOT NULL,
    locale TEXT NOT NULL,
    options TEXT NOT NULL,                     -- what the lobby chose, JSON; with the deck table from the start on
    wanted INTEGER,                            -- players to wait for; NULL: as many as come
    own_thread INTEGER NOT NULL DEFAULT 0,
    secret TEXT NOT NULL,                      -- 64 hexadecimal digits; the seed
    state TEXT,                                -- snapshot, JSON; from the start on
    version INTEGER NOT NULL DEFAULT 0,        -- grows with every change that is to be shown
    moves INTEGER NOT NULL DEFAULT 0,          -- length of the log
    undone INTEGER NOT NULL DEFAULT 0,         -- how many moves of the log have been taken back
    opened_at INTEGER NOT NULL,                -- seconds since 1970
    started_at INTEGER,
    turn_since INTEGER,
    ended_at INTEGER
) STRICT;

CREATE INDEX match_by_status ON match (status);
CREATE INDEX match_by_channel ON match (channel, status);

CREATE TABLE seat (
    match INTEGER NOT NULL REFERENCES match (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,                   -- in the lobby the order of coming, from the start on the chair
    user INTEGER REFERENCES person (user),     -- NULL: a computer
    name TEXT NOT NULL,
    since INTEGER NOT NULL DEFAULT 0,          -- length of the log when they took the seat
    PRIMARY KEY (match, number),
    UNIQUE (match, user)
) STRICT, WITHOUT ROWID;

CREATE INDEX seat_by_user ON seat (user);

-- The log of moves: only ever added to. A move that is taken back stays, marked.
CREATE TABLE move (
    match INTEGER NOT NULL REFERENCES match (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    turn TEXT NOT NULL,                        -- the seat's token when it was made
    text TEXT NOT NULL,
    user INTEGER,                              -- NULL: a computer
    undone_at INTEGER,                         -- length of the log when it was taken back; NULL: it stands
    PRIMARY KEY (match, number)
) STRICT, WITHOUT ROWID;

-- The same decision twice is one decision, whatever carried it here.
CREATE UNIQUE INDEX move_once ON move (match, seat, turn);

-- Messages that show a match: place -1 is the table's, others are a seat's by direct message.
-- A post that is behind its match (shown < version) must be shown again; so nothing is forgotten by a crash.
CREATE TABLE post (
    match INTEGER NOT NULL REFERENCES match (id) ON DELETE CASCADE,
    place INTEGER NOT NULL,
    channel INTEGER NOT NULL,
    message INTEGER,                           -- NULL: not sent yet, or gone
    shown INTEGER NOT NULL DEFAULT 0,          -- version of the match that it shows
    digest TEXT NOT NULL DEFAULT '',           -- of what it says: equal content is not sent again
    pinged TEXT NOT NULL DEFAULT '',           -- the turn that it pinged for
    ping INTEGER,                              -- message of that ping at the table
    PRIMARY KEY (match, place)
) STRICT, WITHOUT ROWID;

CREATE TABLE vote (
    match INTEGER NOT NULL REFERENCES match (id) ON DELETE CASCADE,
    user INTEGER NOT NULL,
    choice TEXT NOT NULL CHECK (choice IN ('end', 'go_on')),
    PRIMARY KEY (match, user)
) STRICT, WITHOUT ROWID;

CREATE TABLE setting (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
