"""The bot on Discord. Each module here is a cog: the slash commands and presses of one concern. The packages are the
rooms behind them.
"""
