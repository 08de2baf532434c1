-- A person may mean any open table of a channel, also one whose place is a thread: found without reading all of them.

CREATE INDEX match_by_place ON match (place, status);
