-- How pictures are drawn for a person: words of data.records.people.PictureWish, with spaces between them.
ALTER TABLE person ADD COLUMN pictures TEXT NOT NULL DEFAULT '';

-- 1: the tables of this server may show pictures that move.
ALTER TABLE server ADD COLUMN motion INTEGER NOT NULL DEFAULT 1;

-- A person's avatar, in grey, 96 × 96 bytes, if the operator keeps avatars and the person does not want a sign instead.
CREATE TABLE portrait (
    user INTEGER PRIMARY KEY REFERENCES person (user) ON DELETE CASCADE,
    hash TEXT NOT NULL,                        -- Discord's name of the avatar
    face BLOB NOT NULL
) STRICT;
