"""While no player can move, no picture and no alt text says that one is to move."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rendering.core.labels import Labels
from rules import GAMES
from rules.core.game import View
from tests.rendering.play import drawn, game, labels, viewers
from tests.support.pixels import lettering_of

HALT = "It rests"
KEYS = ("alt.turn", "alt.your_turn", "alt.waiting_pledge", "picture.their_turn", "picture.your_turn", "picture.leads")
"""Sentences of the games that say whose turn it is; a game has some of them."""


def words(slug: str, view: View, found: Labels) -> list[str]:
    """Return all that a page says, and its alt text."""
    page = drawn(slug).paint(view, found)
    told = [draw.args[0] for stroke in page.strokes if (draw := lettering_of(stroke.what)) is not None]
    return [*told, drawn(slug).describe(view, found)]


@pytest.mark.parametrize("slug", GAMES)
def test_a_match_that_no_player_can_go_on_with_says_so_in_place_of_a_turn(slug: str) -> None:
    seats = min(GAMES[slug].seats, key=lambda count: abs(count - 3))
    states, _ = game(slug, seats, "halt")
    running = labels(slug, seats)
    turns = [
        running.say(key, name=name, names=name, suit="")
        for key in KEYS
        if key in running.texts
        for name in running.names
    ]
    for view in (states[len(states) // 2].view(viewer) for viewer in viewers(seats)):
        *shown, alt = words(slug, view, replace(running, halt=HALT))
        assert HALT in [text.rstrip(".") for text in shown] and f"{HALT}." in alt
        assert not [text for text in turns if text.strip() and (text in shown or text in alt)]
