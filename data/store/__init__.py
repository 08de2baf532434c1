"""The file on the disk: the connection, its schema, its lock, backups and what a restoration needs.

May import aiosqlite, psycopg, sqlite3 and `rules.core.chance`. It knows of a match only the chain of its log, by which
it tells a damaged one.
"""
