"""What the owner and the translators write: the sentences of each language, and deck tables.

May import `rules`. It never knows the database.
"""
