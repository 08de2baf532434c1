"""Processes beside the bot's that draw pictures and think for computer players.

May import `rendering` and `rules`. It never knows Discord, the database, a message or the settings: what a worker is
given is a view and labels, or a position as one seat knows it.
"""
