"""What lasts: the database, the texts of each language, operators' deck tables. Only this package imports aiosqlite."""
