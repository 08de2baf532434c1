"""What is stored, as values: matches, people, servers, clocks. The SQL is here and nowhere else.

May import `data.store` and `rules`. It never knows who asks.
"""
