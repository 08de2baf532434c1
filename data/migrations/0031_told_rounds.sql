-- The last round of a season whose end the channel was told; `last_message` is that message, and at last the one that
-- tells the season's end. Of seasons that are played, only the ends of the rounds to come are told.
ALTER TABLE season ADD COLUMN told INTEGER NOT NULL DEFAULT 0;
UPDATE season SET told = CASE WHEN status = 'playing' OR last_message IS NULL THEN round - 1 ELSE round END
    WHERE round > 0;
