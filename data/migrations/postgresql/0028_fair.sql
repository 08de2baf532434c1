-- The same as 0028_fair.sql for SQLite, which explains it.

ALTER TABLE match ADD COLUMN uncounted text COLLATE "C";
ALTER TABLE match ADD COLUMN dissolved bigint NOT NULL DEFAULT 0;
ALTER TABLE match ADD COLUMN parent bigint;
