-- The end of a match is told once, in a message of its own and to each player. Matches that ended before are told no more:
-- they have no such message, and their players need no ping.
UPDATE post SET pinged = 'the end', mentioned = 'the end'
WHERE place >= 0 AND match IN (SELECT id FROM match WHERE status IN ('over', 'stopped'));
