-- The move that a player has named for their next decision, if it is legal then. Before it stands at which move of the
-- match it is so (data/records/match_rows.py).
ALTER TABLE seat ADD COLUMN ahead TEXT;

-- The bot's greeting of a server: as `post.sending`, while it is being sent; and whether it was sent, which happens once.
ALTER TABLE server ADD COLUMN greeting TEXT;
ALTER TABLE server ADD COLUMN greeted INTEGER NOT NULL DEFAULT 0;
