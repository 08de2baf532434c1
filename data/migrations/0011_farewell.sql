-- With rowids: SQLite before 3.41 takes a sound table without them for damaged where its key is not what comes first.
CREATE TABLE goodbye (
    match INTEGER NOT NULL REFERENCES match (id) ON DELETE CASCADE,
    user INTEGER NOT NULL,
    channel INTEGER NOT NULL,
    message INTEGER NOT NULL,
    PRIMARY KEY (match, message)
) STRICT;

INSERT INTO goodbye SELECT match, user, channel, message FROM farewell;
DROP TABLE farewell;
ALTER TABLE goodbye RENAME TO farewell;
