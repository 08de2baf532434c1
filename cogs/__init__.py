"""The bot on Discord. Each module here but app.py is a cog: the slash commands and presses of one concern. app.py makes
the parts that cogs are given, and the packages hold these.
"""
