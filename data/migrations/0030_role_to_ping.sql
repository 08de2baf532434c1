-- The role that a new open table pings, and the last such ping: as `post.sending`, with the table's number while it is
-- being sent. At most one is sent in an hour.
ALTER TABLE server ADD COLUMN ping_role INTEGER;
ALTER TABLE server ADD COLUMN role_ping TEXT;
