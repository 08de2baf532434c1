-- Whether a match of a rated table counts is decided when it begins. The order of the tables is that in which a match is
-- read.

ALTER TABLE match ADD COLUMN uncounted TEXT; -- why the match of a rated table does not count; NULL: it counts
UPDATE match SET uncounted = 'agreed' WHERE status = 'stopped' AND rated <> 0; -- they ended before such ends counted
ALTER TABLE match ADD COLUMN dissolved INTEGER NOT NULL DEFAULT 0; -- whether it was a duplicate whose group came apart
ALTER TABLE match ADD COLUMN season INTEGER NOT NULL DEFAULT 0; -- whether it is a table of a season
UPDATE match SET season = 1 WHERE id IN (SELECT match FROM season_table WHERE match IS NOT NULL);
ALTER TABLE match ADD COLUMN parent INTEGER; -- the channel of the public thread in which the table is
ALTER TABLE match ADD COLUMN credited INTEGER NOT NULL DEFAULT 0; -- up to when its reminders were put off for lost time
ALTER TABLE seat ADD COLUMN sat INTEGER; -- the player's seat in the match before, if the seats went round; -1: none

-- A player who began a rated match and was not there at its end is last for the ratings, whatever became of the seat.
ALTER TABLE result ADD COLUMN early INTEGER NOT NULL DEFAULT 0;       -- ended by those who were left: it has no scores
ALTER TABLE standing ADD COLUMN beginner INTEGER;                      -- of the player who is rated for the seat; NULL: its own
ALTER TABLE standing ADD COLUMN gone INTEGER NOT NULL DEFAULT 0;      -- whether who began there was not there at the end
CREATE INDEX standing_by_beginner ON standing (beginner, match) WHERE beginner IS NOT NULL;
ALTER TABLE person ADD COLUMN dm_refused INTEGER NOT NULL DEFAULT 0;   -- 1: Discord accepts no direct messages of the bot
ALTER TABLE server ADD COLUMN members_only INTEGER NOT NULL DEFAULT 1; -- 1: players who leave the server leave its matches

-- New hours of a player begin with the next turn, so each turn keeps those by which it counts. `put_off` is used no more.
ALTER TABLE reminder ADD COLUMN hours TEXT; -- as JSON: time zone, quiet hours, days off, holidays; NULL: those of now
ALTER TABLE clock ADD COLUMN hours TEXT;    -- the same; NULL: it counts no turn
-- How a season counts the tables that are open when their round ends; how often a backup was restored while it was played;
-- and the players whom a manager has taken out.
ALTER TABLE season ADD COLUMN unfinished TEXT NOT NULL DEFAULT 'loses'; -- or 'played_on'
ALTER TABLE season ADD COLUMN restores INTEGER NOT NULL DEFAULT 0;
ALTER TABLE entrant ADD COLUMN removed INTEGER NOT NULL DEFAULT 0;
-- A message whose send has begun and whose id is not known yet: "<seconds since 1970> <channel> <what>"; NULL: there is none.
ALTER TABLE post ADD COLUMN sending TEXT;
ALTER TABLE person ADD COLUMN digest_sending TEXT; -- the same, of a digest
