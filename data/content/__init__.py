"""What operators and translators write: deck tables, and the texts of each language.

May import `rules`. It never knows the database.
"""
