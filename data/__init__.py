"""What lasts: the database, the texts of each language, owners' deck tables. Only this package imports aiosqlite."""
