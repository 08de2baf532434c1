-- The same as 0029_ahead_and_greeting.sql for SQLite, which explains it.

ALTER TABLE seat ADD COLUMN ahead text COLLATE "C";
ALTER TABLE server ADD COLUMN greeting text COLLATE "C";
ALTER TABLE server ADD COLUMN greeted bigint NOT NULL DEFAULT 0;
