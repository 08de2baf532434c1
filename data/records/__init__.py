"""What the database stores, as values: matches, people, servers, clocks. All SQL on these tables is here.

May import `data.store` and `rules`. It never knows its callers.
"""
