-- Queries compare flags with 0, as all engines understand it. An index is used if its condition is theirs.
DROP INDEX result_by_rating;
CREATE INDEX result_by_rating ON result (guild, game, number) WHERE rated <> 0;
DROP INDEX match_held;
CREATE INDEX match_held ON match (id) WHERE held <> 0;
