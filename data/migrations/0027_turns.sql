-- What a player may do a few times in a turn, or a table once in an hour, is stored with the match. Until now each
-- process counted for itself, and a restart forgot it. The order of the tables is that in which a match is read.

ALTER TABLE match ADD COLUMN clock_kept_until INTEGER NOT NULL DEFAULT 0; -- until then no vote sets a shorter time limit
ALTER TABLE seat ADD COLUMN hinted TEXT;                                  -- the turn's token when a hint was counted last
ALTER TABLE former ADD COLUMN hints INTEGER NOT NULL DEFAULT 0;           -- as in `seat`, for a player who comes back
ALTER TABLE former ADD COLUMN hinted TEXT;
ALTER TABLE clock ADD COLUMN put_off INTEGER NOT NULL DEFAULT 0;          -- how often new hours put its end off this turn
