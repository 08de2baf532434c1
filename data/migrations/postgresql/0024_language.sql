ALTER TABLE match ADD COLUMN server_locale text COLLATE "C";
