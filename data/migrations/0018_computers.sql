-- How well computers play: "beginner", "friend" or "strong" (rules/core/computer.py).
ALTER TABLE match ADD COLUMN level TEXT NOT NULL DEFAULT 'friend';  -- for players who are away or have left
ALTER TABLE seat ADD COLUMN level TEXT;                             -- of the computer that sits there; NULL: as the table

-- Which computer made the move: its level and the version of the computers, "strong 1"; NULL: a person, or not known.
ALTER TABLE move ADD COLUMN computer TEXT;

-- 1: the players of this table may ask for hints. Those who play already have not agreed to any.
ALTER TABLE match ADD COLUMN hints INTEGER NOT NULL DEFAULT 1;
UPDATE match SET hints = 0 WHERE status = 'playing';
ALTER TABLE seat ADD COLUMN hints INTEGER NOT NULL DEFAULT 0;       -- how many the player has had in this match
