-- The same as 0031_told_rounds.sql for SQLite, which explains it.

ALTER TABLE season ADD COLUMN told bigint NOT NULL DEFAULT 0;
UPDATE season SET told = CASE WHEN status = 'playing' OR last_message IS NULL THEN round - 1 ELSE round END
    WHERE round > 0;
