"""`python bot.py` in a hurry: it draws nothing before it is needed, and computers make only a few playouts."""

import sys

import bot
import rules.core.computer
from tests.process.launch import draw_nothing_ahead
from tests.support.chance import follow_test
from tests.support.hasty import hasty_levels

if __name__ == "__main__":
    follow_test()
    draw_nothing_ahead()
    rules.core.computer.LEVELS = hasty_levels(20)
    sys.exit(bot.main(sys.argv[1:]))
