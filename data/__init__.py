"""What lasts: the database, the words of each language, owners' deck tables. The only importer of aiosqlite."""
