"""Every game in a real browser, from the slash picker to its last message, by one person with computers.

What this person saw is left in tests/output/local, on a screen and on a phone of 400 pixels.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from data.content.texts import texts
from rules import GAMES
from tests.support.table import fewest_seats, shortest_options
from tests.support.traits import plies

from .browser import OUTPUT, Tab, local, open_table, play, says

SCREEN, PHONE = (1200, 900), (400, 860)
OVER = "won!"


@pytest.mark.games("slug", short=[], long=["siege_of_sunfall"])
def test_a_game_is_played_to_the_end(browser: Browser, tmp_path: Path, slug: str) -> None:
    def shot(tab: Tab, name: str) -> None:
        tab.picture(OUTPUT / f"{slug}-{name}.png")

    with local(tmp_path / "local.db") as program:
        channel = Tab(browser, program.home, "# games as Ann", *SCREEN)
        open_table(channel, GAMES[slug].title, fewest_seats(slug) - 1)
        for option, value in shortest_options(slug, fewest_seats(slug)).items():
            label = texts("en", slug)[f"option.{option}.label"]
            channel.choose(label, re.compile(rf"^{re.escape(label)}: {value}\b"))
        shot(channel, "lobby")
        channel.press("Start")
        channel.sees("To move:")
        hand = Tab(browser, program.home, "Ann’s direct messages", *PHONE)
        few = min(4, max(1, plies(slug, 12) // fewest_seats(slug)))
        assert play([hand], says(channel, OVER), most=few) == few
        shot(channel, "table")
        shot(hand, "hand-400")
        play([hand], says(channel, OVER), seconds=150, last=True)  # a siege may be over already
        channel.sees(OVER)
        shot(channel, "over")
        shot(hand, "hand-over-400")
        phone = Tab(browser, program.home, "# games as Ann", *PHONE)
        phone.sees(OVER)
        shot(phone, "over-400")
        phone.type_command("rules", GAMES[slug].title)
        phone.sees("An example")
        shot(phone, "rules-400")
        channel.press("Play again")
        channel.sees(f"Players: {fewest_seats(slug)} of")  # the computers have sat down again
