-- A lobby may start by itself at a time that its host has set.
ALTER TABLE match ADD COLUMN starts_at INTEGER;                        -- seconds since 1970; NULL: by a press alone
ALTER TABLE match ADD COLUMN starts_soon INTEGER NOT NULL DEFAULT 0;   -- 1: its players are to be reminded
ALTER TABLE match ADD COLUMN missed_start TEXT NOT NULL DEFAULT '';    -- "<when> <reason>": it could not start then
CREATE INDEX match_by_start ON match (starts_at) WHERE starts_at IS NOT NULL AND status = 'lobby';

-- Of a lobby's post: the start of which its players have been reminded.
ALTER TABLE post ADD COLUMN reminded INTEGER;

-- Whether a lobby with a start time becomes an event of its server.
ALTER TABLE server ADD COLUMN events INTEGER NOT NULL DEFAULT 0;

-- Whether hands explain a game to the person in their first match of it. The first match of somebody known before this
-- is found from their seats, so the default changes nothing in a match that runs.
ALTER TABLE person ADD COLUMN wants_help INTEGER NOT NULL DEFAULT 1;
CREATE INDEX former_by_user ON former (user);  -- a hand asks for the seats that its player has left
