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
