-- People: who waits for a match, who has left one, whose old hands are to be emptied; matches that follow one another.

ALTER TABLE match ADD COLUMN previous INTEGER REFERENCES match (id) ON DELETE SET NULL;   -- played again after that one
ALTER TABLE match ADD COLUMN touched_at INTEGER NOT NULL DEFAULT 0;   -- seconds since 1970: somebody did something here
ALTER TABLE match ADD COLUMN rests_since INTEGER;                     -- since when it rests; NULL: it goes on

UPDATE match SET touched_at = coalesce(ended_at, turn_since, opened_at);

-- However many press "Play again": one lobby follows, unless that one was called off.
CREATE UNIQUE INDEX match_again ON match (previous) WHERE previous IS NOT NULL AND status <> 'cancelled';

ALTER TABLE seat ADD COLUMN offered INTEGER NOT NULL DEFAULT 0;       -- 1: whoever wants may take it over

-- Who came too late; in the order of coming.
CREATE TABLE waiting (
    match INTEGER NOT NULL REFERENCES match (id) ON DELETE CASCADE,
    place INTEGER NOT NULL,
    user INTEGER NOT NULL REFERENCES person (user),
    name TEXT NOT NULL,
    PRIMARY KEY (match, place),
    UNIQUE (match, user)
) STRICT, WITHOUT ROWID;

-- Who sat at a running match and does so no more: they have seen the cards of that seat.
CREATE TABLE former (
    match INTEGER NOT NULL REFERENCES match (id) ON DELETE CASCADE,
    user INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    removed INTEGER NOT NULL,                  -- 1: by a vote, and then they do not come back
    PRIMARY KEY (match, user)
) STRICT, WITHOUT ROWID;

-- Whose hand a post shows: it is nobody else's when the seat is.
ALTER TABLE post ADD COLUMN user INTEGER;
UPDATE post SET user = (SELECT seat.user FROM seat WHERE seat.match = post.match AND seat.number = post.place);

-- Hands in direct messages of people who have left, still to be emptied.
CREATE TABLE farewell (
    match INTEGER NOT NULL REFERENCES match (id) ON DELETE CASCADE,
    user INTEGER NOT NULL,
    channel INTEGER NOT NULL,
    message INTEGER NOT NULL,
    PRIMARY KEY (match, message)
) STRICT, WITHOUT ROWID;

-- A voice is for something: 'end', 'pause', 'resume', 'undo <number of the move>', 'remove <user>'.
CREATE TABLE voice (
    match INTEGER NOT NULL REFERENCES match (id) ON DELETE CASCADE,
    user INTEGER NOT NULL,
    choice TEXT NOT NULL,
    PRIMARY KEY (match, user)
) STRICT, WITHOUT ROWID;

INSERT INTO voice SELECT match, user, choice FROM vote WHERE choice <> 'go_on';
DROP TABLE vote;
ALTER TABLE voice RENAME TO vote;
