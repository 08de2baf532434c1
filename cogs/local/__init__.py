"""`bot.py --local`: the same bot on a simulated Discord, played in the browser.

May import everything, and simcord. Nothing else imports it, so production runs without simcord.
"""
