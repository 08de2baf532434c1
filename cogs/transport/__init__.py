"""All that knows Discord: presses come in here, and messages go out.

May import `messages`, `match`, `runtime` and what those may, discord.py and aiohttp. It never knows a game's rules.
"""
