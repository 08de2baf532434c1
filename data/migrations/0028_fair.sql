-- Whether a match of a rated table counts is decided when it begins. The order of the tables is that in which a match is
-- read.

ALTER TABLE match ADD COLUMN uncounted TEXT; -- why the match of a rated table does not count; NULL: it counts
ALTER TABLE match ADD COLUMN dissolved INTEGER NOT NULL DEFAULT 0; -- whether it was a duplicate whose group came apart
ALTER TABLE match ADD COLUMN parent INTEGER; -- the channel of the public thread in which the table is
