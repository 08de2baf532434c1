-- The language of the server in which a table was opened, if its host has chosen another one for the table.
-- match.locale is what everyone reads there; NULL here: that is the server's.

ALTER TABLE match ADD COLUMN server_locale TEXT;
