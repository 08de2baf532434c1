-- How pictures are drawn for a person: words of data.records.people.PictureWish, with spaces between them.
ALTER TABLE person ADD COLUMN pictures TEXT NOT NULL DEFAULT '';

-- 1: the tables of this server may show pictures that move.
ALTER TABLE server ADD COLUMN motion INTEGER NOT NULL DEFAULT 1;
