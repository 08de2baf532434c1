"""The bot on Discord. Each module here is a cog: the slash commands and presses of one concern. The packages hold what
the cogs use.
"""
