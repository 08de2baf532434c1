"""The file on the disk: the connection, its schema, its lock, backups and what a restoration needs.

May import aiosqlite, sqlite3 and `data.records.hash_chain`. It knows of a match only the chain of its log, by which it
tells a damaged one.
"""
