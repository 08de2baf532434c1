-- The door of a lobby: who is invited, has accepted, has declined or was taken out of it, and who wants to begin.

-- A lobby's guests. Most have never used the bot: their rows refer to no person.
CREATE TABLE guest (
    match INTEGER NOT NULL REFERENCES match (id) ON DELETE CASCADE,
    user INTEGER NOT NULL,
    name TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('invited', 'accepted', 'declined', 'removed')),
    said INTEGER,                              -- message that invited them; -1: being sent; 0: it could not be; NULL: none
    PRIMARY KEY (match, user)
) STRICT, WITHOUT ROWID;

ALTER TABLE match ADD COLUMN closed INTEGER NOT NULL DEFAULT 0;   -- 1: only guests may sit down
ALTER TABLE seat ADD COLUMN ready INTEGER NOT NULL DEFAULT 0;     -- 1: this player of a lobby has pressed Start
ALTER TABLE seat ADD COLUMN team INTEGER;                         -- chosen in the lobby, from 0; NULL: left to the draw
