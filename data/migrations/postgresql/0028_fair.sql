-- The same as 0028_fair.sql for SQLite, which explains it.

ALTER TABLE match ADD COLUMN uncounted text COLLATE "C";
UPDATE match SET uncounted = 'agreed' WHERE status = 'stopped' AND rated <> 0;
ALTER TABLE match ADD COLUMN dissolved bigint NOT NULL DEFAULT 0;
ALTER TABLE match ADD COLUMN season bigint NOT NULL DEFAULT 0;
UPDATE match SET season = 1 WHERE id IN (SELECT match FROM season_table WHERE match IS NOT NULL);
ALTER TABLE match ADD COLUMN parent bigint;
ALTER TABLE match ADD COLUMN credited bigint NOT NULL DEFAULT 0;
ALTER TABLE seat ADD COLUMN sat bigint;

ALTER TABLE result ADD COLUMN early bigint NOT NULL DEFAULT 0;
ALTER TABLE standing ADD COLUMN beginner bigint;
ALTER TABLE standing ADD COLUMN gone bigint NOT NULL DEFAULT 0;
CREATE INDEX standing_by_beginner ON standing (beginner, match) WHERE beginner IS NOT NULL;
ALTER TABLE person ADD COLUMN dm_refused bigint NOT NULL DEFAULT 0;
ALTER TABLE server ADD COLUMN members_only bigint NOT NULL DEFAULT 1;

ALTER TABLE reminder ADD COLUMN hours text COLLATE "C";
ALTER TABLE clock ADD COLUMN hours text COLLATE "C";
ALTER TABLE season ADD COLUMN unfinished text COLLATE "C" NOT NULL DEFAULT 'loses';
ALTER TABLE season ADD COLUMN restores bigint NOT NULL DEFAULT 0;
ALTER TABLE entrant ADD COLUMN removed bigint NOT NULL DEFAULT 0;
ALTER TABLE post ADD COLUMN sending text COLLATE "C";
ALTER TABLE person ADD COLUMN digest_sending text COLLATE "C";
