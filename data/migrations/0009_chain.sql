-- The log as a chain of hashes, the rules that a match began with, and what a restored backup is to be asked.
-- The links of matches that are there already are filled in by data/chain.py, in the same transaction.

ALTER TABLE move ADD COLUMN link BLOB;                          -- SHA-256 over the link before and this move
ALTER TABLE match ADD COLUMN chain BLOB;                        -- the last link; NULL before the start
ALTER TABLE match ADD COLUMN rules INTEGER NOT NULL DEFAULT 1;  -- the version of its game's rules that it began with

-- Set when the database comes from a backup: Discord may show later moves than it knows.
ALTER TABLE match ADD COLUMN doubt TEXT CHECK (doubt IN ('unchecked', 'behind'));   -- NULL: none
ALTER TABLE match ADD COLUMN restores INTEGER NOT NULL DEFAULT 0;   -- how often it was found behind

CREATE INDEX match_unchecked ON match (id) WHERE doubt = 'unchecked';
