-- 1: a player's first lesson of the game (rules/core/lesson.py), in no server and at no table.
ALTER TABLE match ADD COLUMN lesson INTEGER NOT NULL DEFAULT 0;
