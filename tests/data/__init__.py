"""The database and its repositories, on files in a temporary folder."""
