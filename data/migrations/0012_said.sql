-- An emptied message is still known: whoever comes back has their hand there again, or a new one in its place.
ALTER TABLE farewell ADD COLUMN said INTEGER NOT NULL DEFAULT 0;
