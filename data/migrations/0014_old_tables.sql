-- A table's messages that a newer one has replaced, as long as they are there: each says where the table is, or is still
-- to be deleted or to say so (named <> place of the match).
CREATE TABLE old_table (
    match INTEGER NOT NULL REFERENCES match (id) ON DELETE CASCADE,
    channel INTEGER NOT NULL,
    message INTEGER NOT NULL,                  -- 0: one may have been sent there, and its id is not known
    since INTEGER NOT NULL,                    -- seconds since 1970: it was not sent before
    named INTEGER NOT NULL DEFAULT 0,          -- where it says that the table is; 0: it may still show the table
    PRIMARY KEY (match, channel, message)
) STRICT, WITHOUT ROWID;
