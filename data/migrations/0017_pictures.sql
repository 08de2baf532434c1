-- How pictures are drawn for a person: words of data.records.people.PictureWish, with spaces between them.
ALTER TABLE person ADD COLUMN pictures TEXT NOT NULL DEFAULT '';
