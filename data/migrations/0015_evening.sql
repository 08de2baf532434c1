-- A lobby may start by itself at a time that its host has set.
ALTER TABLE match ADD COLUMN starts_at INTEGER;                        -- seconds since 1970; NULL: by a press alone
ALTER TABLE match ADD COLUMN starts_soon INTEGER NOT NULL DEFAULT 0;   -- 1: its players are to be reminded
ALTER TABLE match ADD COLUMN missed_start TEXT NOT NULL DEFAULT '';    -- "<when> <reason>": it could not start then
CREATE INDEX match_by_start ON match (starts_at) WHERE starts_at IS NOT NULL AND status = 'lobby';

-- Of a lobby's post: the start of which its players have been reminded.
ALTER TABLE post ADD COLUMN reminded INTEGER;

-- Whether a lobby with a start time becomes an event of its server.
ALTER TABLE server ADD COLUMN events INTEGER NOT NULL DEFAULT 0;

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
