-- The same as 0029_ahead.sql for SQLite, which explains it.

ALTER TABLE seat ADD COLUMN ahead text COLLATE "C";
