-- Pings: by which way each person is called, at all tables and at one; a digest; forced moves, now for one table each.

ALTER TABLE person ADD COLUMN ping TEXT NOT NULL DEFAULT 'dm' CHECK (ping IN ('dm', 'mention', 'both', 'none'));
ALTER TABLE person ADD COLUMN digest_hours INTEGER NOT NULL DEFAULT 0;   -- between two digests; 0: each turn by itself
ALTER TABLE person ADD COLUMN digest_due INTEGER;                        -- seconds since 1970: when the next one is due
ALTER TABLE person ADD COLUMN digest_message INTEGER;                    -- the last one, in their direct messages

CREATE INDEX person_by_digest ON person (digest_due) WHERE digest_due IS NOT NULL;

ALTER TABLE seat ADD COLUMN ping TEXT CHECK (ping IN ('dm', 'mention', 'both', 'none'));   -- NULL: as for all tables
ALTER TABLE seat ADD COLUMN plays_forced INTEGER NOT NULL DEFAULT 0;     -- a move without a choice is made for them

-- Who had it on for all tables keeps it at those where they sit.
UPDATE seat SET plays_forced = 1 WHERE user IN (SELECT user FROM person WHERE plays_forced = 1);
ALTER TABLE person DROP COLUMN plays_forced;

-- The turn of the last one awaited of several people who decide at once; '' where there is none.
ALTER TABLE match ADD COLUMN alone TEXT NOT NULL DEFAULT '';

-- Of who is called in both ways: the call that the table has made; `pinged` is that of the direct message.
ALTER TABLE post ADD COLUMN mentioned TEXT NOT NULL DEFAULT '';
UPDATE post SET mentioned = pinged;
