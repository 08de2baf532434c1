-- Which clocks the lobbies of a server offer, and the one that its new tables begin with.

ALTER TABLE server ADD COLUMN clocks TEXT NOT NULL DEFAULT '[]';   -- JSON: names of terms; none: all
ALTER TABLE server ADD COLUMN first_clock TEXT;                    -- NULL: without a clock, where that is offered
