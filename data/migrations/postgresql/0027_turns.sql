-- The same as 0027_turns.sql for SQLite, which explains it. Tables are locked in the order in which the processes that
-- play on read and write a match: otherwise they and this migration would wait for each other.

ALTER TABLE match ADD COLUMN clock_kept_until bigint NOT NULL DEFAULT 0;
ALTER TABLE seat ADD COLUMN hinted text COLLATE "C";
ALTER TABLE former ADD COLUMN hints bigint NOT NULL DEFAULT 0;
ALTER TABLE former ADD COLUMN hinted text COLLATE "C";
ALTER TABLE clock ADD COLUMN put_off bigint NOT NULL DEFAULT 0;
