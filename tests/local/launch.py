"""`python bot.py` in a hurry: nothing is drawn before it is shown, and computers think a tenth as long."""

import sys

import bot
import rules.core.computer
from tests.process.launch import draw_nothing_ahead

if __name__ == "__main__":
    draw_nothing_ahead()
    rules.core.computer.PLIES = 400
    sys.exit(bot.main(sys.argv[1:]))
