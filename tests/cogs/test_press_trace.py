"""The trace of a press that moves, from the gateway to the write and the answer: how many files a reader opens."""

from __future__ import annotations

import pytest

from rules import GAMES
from tests.support.pixels import plain_pictures
from tests.support.press_trace import card_press
from tests.support.simulation import Simulation

MOST_FILES, MOST_HOPS = 9, 25
"""Of cogs/, and between them, up to the write."""
MOST_TO_THE_ANSWER = 20, 120
"""The same up to the answer: the player's next hand."""


@pytest.fixture
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw single pixels in a thread, as the bot draws: its steps are not of the trace."""
    plain_pictures(monkeypatch)


@pytest.mark.usefixtures("plain")
@pytest.mark.games("game", short=["siege_of_sunfall"], long=GAMES)
async def test_a_press_is_short_in_every_game(sim: Simulation, game: str) -> None:
    """A card, a sealed pledge, a step of several: no game has a way of its own through cogs/."""
    answered = await card_press(sim, game)
    trace = answered.to_the_write
    print(trace, answered, sep="\n")
    assert trace.count("data/records/matches.py", "get") <= 2, "the match is read twice at most"
    assert len(trace.cogs) <= MOST_FILES, trace.cogs
    assert trace.hops <= MOST_HOPS, trace
    assert trace.visits[-1] == ("data/records/matches.py", "save")
    assert len(answered.cogs) <= MOST_TO_THE_ANSWER[0], answered.cogs
    assert answered.hops <= MOST_TO_THE_ANSWER[1], answered


@pytest.mark.usefixtures("plain")
async def test_the_custom_id_of_a_card_is_parsed_once(sim: Simulation) -> None:
    trace = (await card_press(sim)).to_the_write
    assert trace.count("cogs/messages/content.py", "parse") == 1
