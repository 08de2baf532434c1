-- When somebody last turned to the bot: who stands in no match is kept for no longer than a match that is over.

ALTER TABLE person ADD COLUMN seen_at INTEGER NOT NULL DEFAULT 0;   -- seconds since 1970, to half a day
UPDATE person SET seen_at = CAST(strftime('%s', 'now') AS INTEGER);
