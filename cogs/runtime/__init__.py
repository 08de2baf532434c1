"""The process: settings, logs, metrics, health, signals and time.

May import `data` and aiohttp. It never knows a match, a message or Discord.
"""
