-- The same as 0030_role_to_ping.sql for SQLite, which explains it.

ALTER TABLE server ADD COLUMN ping_role bigint;
ALTER TABLE server ADD COLUMN role_ping text COLLATE "C";
