"""Processes beside the bot's that draw pictures and think for computer players.

The package may import `rendering` and `rules`. It never knows Discord, the database, a message or the settings. A
worker gets a view and labels, or a position as one seat knows it.
"""
