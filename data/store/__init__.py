"""The file on the disk: the connection, its schema, its lock, backups and what a restoration needs.

May import aiosqlite and sqlite3. It never knows what a match or a person is.
"""
