-- The clock: a match's terms, what each seat has left, and the hours that each person keeps.

ALTER TABLE match ADD COLUMN clock TEXT NOT NULL DEFAULT 'none';        -- the name of its terms
ALTER TABLE match ADD COLUMN absent TEXT NOT NULL DEFAULT 'computer';   -- what follows on an extension: or 'vote'

-- The clock of a seat in a match that has one. It stands where `turn` is empty.
CREATE TABLE clock (
    match INTEGER NOT NULL REFERENCES match (id) ON DELETE CASCADE,
    seat INTEGER NOT NULL,
    turn TEXT NOT NULL,                        -- the seat's token of what it is asked
    since INTEGER NOT NULL,                    -- seconds since 1970: when `left` was true
    left INTEGER NOT NULL,                     -- seconds to decide in, the reserve among them
    reserve INTEGER NOT NULL,                  -- of these, what is kept for later turns if not used
    nudge INTEGER NOT NULL,                    -- seconds left at which to nudge next; 0: no more
    ends INTEGER,                              -- when it runs out as things are; NULL: it stands
    due INTEGER,                               -- when to look next
    stage INTEGER NOT NULL,                    -- 0 as agreed, 1 extended, 2 the table votes
    called INTEGER NOT NULL,                   -- how often they were called in this turn beside the first time
    away INTEGER,                              -- since when a computer plays for them; NULL: they play
    PRIMARY KEY (match, seat)
) STRICT, WITHOUT ROWID;

CREATE INDEX clock_by_due ON clock (due) WHERE due IS NOT NULL;

-- When somebody's clocks stand still, in their own time zone. Whoever is not here has set nothing.
CREATE TABLE hours (
    user INTEGER PRIMARY KEY REFERENCES person (user),
    zone TEXT NOT NULL,                        -- a name of the IANA's
    quiet_from INTEGER,                        -- minutes of the day; both or neither
    quiet_to INTEGER,
    days_off TEXT NOT NULL,                    -- JSON: days of the week, Monday 0
    holidays TEXT NOT NULL                     -- JSON: pairs of first and last day, ISO
) STRICT;
