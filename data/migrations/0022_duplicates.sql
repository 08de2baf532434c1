-- Duplicate tables: several matches that are dealt from one secret, and compared once all have ended.

ALTER TABLE match ADD COLUMN duplicate INTEGER;               -- the first match of its group, which may be deleted before
ALTER TABLE match ADD COLUMN held INTEGER NOT NULL DEFAULT 0;  -- 1: another table of the group has not ended
CREATE INDEX match_by_duplicate ON match (duplicate) WHERE duplicate IS NOT NULL;
CREATE INDEX match_held ON match (id) WHERE held;
