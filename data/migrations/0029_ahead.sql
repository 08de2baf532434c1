-- The move that a player has named for their next decision, if it is legal then.

ALTER TABLE seat ADD COLUMN ahead TEXT;
