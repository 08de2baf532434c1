-- A lobby may start by itself at a time that its host has set.
ALTER TABLE match ADD COLUMN starts_at INTEGER;                        -- seconds since 1970; NULL: by a press alone
ALTER TABLE match ADD COLUMN starts_soon INTEGER NOT NULL DEFAULT 0;   -- 1: its players are to be reminded
ALTER TABLE match ADD COLUMN missed_start TEXT NOT NULL DEFAULT '';    -- "<when> <reason>": it could not start then
CREATE INDEX match_by_start ON match (starts_at) WHERE starts_at IS NOT NULL AND status = 'lobby';

-- Of a lobby's post: the start of which its players have been reminded.
ALTER TABLE post ADD COLUMN reminded INTEGER;

-- Whether a lobby with a start time becomes an event of its server.
ALTER TABLE server ADD COLUMN events INTEGER NOT NULL DEFAULT 0;

-- The door of a lobby: who is invited, has accepted, has declined or was taken out of it, and who wants to begin.

-- A lobby's guests. Most have never used the bot: their rows refer to no person.
CREATE TABLE guest (
    match INTEGER NOT NULL REFERENCES match (id) ON DELETE CASCADE,
    user INTEGER NOT NULL,
    name TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('invited', 'accepted', 'declined', 'removed')),
    said INTEGER,                              -- message that invited them; -1: being sent; 0: it could not be; NULL: none
    PRIMARY KEY (match, user)
) STRICT, WITHOUT ROWID;

ALTER TABLE match ADD COLUMN closed INTEGER NOT NULL DEFAULT 0;   -- 1: only guests may sit down
ALTER TABLE seat ADD COLUMN ready INTEGER NOT NULL DEFAULT 0;     -- 1: this player of a lobby has pressed Start
ALTER TABLE seat ADD COLUMN team INTEGER;                         -- chosen in the lobby, from 0; NULL: left to the draw

-- Votes: who started each, until when it is open, and who is against it. A vote from before was started by one of its
-- voters, now; the program sets its deadline at its next start.
CREATE TABLE proposal (
    match INTEGER NOT NULL REFERENCES match (id) ON DELETE CASCADE,
    choice TEXT NOT NULL,                      -- as in `vote`
    starter INTEGER NOT NULL,                  -- the user who started it; 0: their data was deleted
    since INTEGER NOT NULL,                    -- seconds since 1970
    due INTEGER,                               -- when it closes; once it has closed, when the table says so no longer
    ended TEXT CHECK (ended IN ('refused', 'expired')),  -- NULL: it is open
    PRIMARY KEY (match, choice)
) STRICT, WITHOUT ROWID;
CREATE INDEX proposal_due ON proposal (due) WHERE due IS NOT NULL;
CREATE TABLE refusal (
    match INTEGER NOT NULL REFERENCES match (id) ON DELETE CASCADE,
    user INTEGER NOT NULL,
    choice TEXT NOT NULL,
    PRIMARY KEY (match, user, choice)
) STRICT, WITHOUT ROWID;
INSERT INTO proposal SELECT match, choice, min(user), CAST(strftime('%s', 'now') AS INTEGER), NULL, NULL
    FROM vote GROUP BY match, choice;

-- Reminders of players whom a table without a time limit waits for, and the last nudge of each table.
CREATE TABLE reminder (
    match INTEGER NOT NULL REFERENCES match (id) ON DELETE CASCADE,
    seat INTEGER NOT NULL,
    turn TEXT NOT NULL,                        -- the seat's turn token
    since INTEGER NOT NULL,                    -- seconds since 1970: the wait counts from then on
    due INTEGER,                               -- when the next reminder is due; NULL: none comes, or the match pauses
    sent INTEGER NOT NULL,                     -- how many reminders this turn has had
    pings INTEGER NOT NULL,                    -- the same, with the nudges
    nudger INTEGER,                            -- the seat that nudged last; NULL: no nudge since the last reminder
    PRIMARY KEY (match, seat)
) STRICT, WITHOUT ROWID;
CREATE INDEX reminder_due ON reminder (due) WHERE due IS NOT NULL;
ALTER TABLE match ADD COLUMN nudged_at INTEGER;

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

-- Whether hands explain a game to the person in their first match of it. The first match of somebody known before this
-- is found from their seats, so the default changes nothing in a match that runs.
ALTER TABLE person ADD COLUMN wants_help INTEGER NOT NULL DEFAULT 1;
CREATE INDEX former_by_user ON former (user);  -- a hand asks for the seats that its player has left

-- The end of a match is told once, in a message of its own and to each player. Matches that ended before are told no more:
-- they have no such message, and their players need no ping.
UPDATE post SET pinged = 'the end', mentioned = 'the end'
WHERE place >= 0 AND match IN (SELECT id FROM match WHERE status IN ('over', 'stopped'));

-- The door of a lobby: who is invited, has accepted, has declined or was taken out of it, and who wants to begin.

-- A lobby's guests. Most have never used the bot: their rows refer to no person.
CREATE TABLE guest (
    match INTEGER NOT NULL REFERENCES match (id) ON DELETE CASCADE,
    user INTEGER NOT NULL,
    name TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('invited', 'accepted', 'declined', 'removed')),
    said INTEGER,                              -- message that invited them; -1: being sent; 0: it could not be; NULL: none
    PRIMARY KEY (match, user)
) STRICT, WITHOUT ROWID;

ALTER TABLE match ADD COLUMN closed INTEGER NOT NULL DEFAULT 0;   -- 1: only guests may sit down
ALTER TABLE seat ADD COLUMN ready INTEGER NOT NULL DEFAULT 0;     -- 1: this player of a lobby has pressed Start
ALTER TABLE seat ADD COLUMN team INTEGER;                         -- chosen in the lobby, from 0; NULL: left to the draw
