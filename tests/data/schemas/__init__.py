"""Databases as earlier versions left them, a dump for each schema number, with a running match of every game.

They stay as they are once they are released. `python -m tests.data.schemas` writes those that are missing.
"""
