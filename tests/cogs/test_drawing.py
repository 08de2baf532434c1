"""The thread that draws: what is drawn before anybody waits for it, and how often."""

from __future__ import annotations

import logging
from typing import Any

import pytest

import cogs.messages.drawing
from cogs.messages.drawing import Drawing
from cogs.messages.lobby import open_lobby
from data.records.terms import Terms
from rendering import renderer
from rules import GAMES
from tests.support.simulation import Simulation

HAND = "B7 R3"


@pytest.mark.usefixtures("warm")
@pytest.mark.parametrize("slug", GAMES)
@pytest.mark.parametrize(("work", "drawn"), [("warm_up", "cover"), ("prewarm", "paint")])
async def test_a_game_that_cannot_be_drawn_beforehand_is_logged(
    slug: str, work: str, drawn: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*given: Any) -> None:
        raise ValueError(HAND)

    monkeypatch.setattr(cogs.messages.drawing, "_prewarmed", set())
    monkeypatch.setattr(renderer(slug), drawn, fail)
    drawing = Drawing()
    getattr(drawing, work)([slug] if work == "warm_up" else slug)
    assert await drawing.run(int) == 0, "the thread goes on"
    drawing.close()
    (line,) = caplog.records
    assert line.levelno == logging.ERROR
    assert slug in line.getMessage() and "ValueError" in line.getMessage()
    assert HAND not in caplog.text


@pytest.mark.usefixtures("warm")
async def test_closing_drops_what_is_not_drawn_yet(caplog: pytest.LogCaptureFixture) -> None:
    drawing = Drawing()
    drawing.warm_up(GAMES)
    drawing.close()
    assert not caplog.records


async def test_a_cover_is_drawn_once_for_the_same_people_in_a_language(
    sim: Simulation, plain: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    app, asked = sim.bot.app, []
    await app.messages.drawing.run(int)  # wait for all that is drawn at the start
    drawn = renderer("sea_change")
    cover = drawn.cover
    monkeypatch.setattr(drawn, "cover", lambda labels, seats=0: asked.append(labels.say("yes")) or cover(labels, seats))
    for user, locale in enumerate(("en-US", "en-GB", "tlh", "de"), 1000):
        await app.people.meet(user, "somebody", locale)
        match = await app.lobby.open(
            "sea_change",
            guild=sim.guild.id,
            channel=sim.channel.id,
            user=user,
            name="somebody",
            terms=Terms(locale=locale),
        )
        await sim.caught_up()
        await open_lobby(app.messages, match, {})
    assert asked == ["yes", "ja"]
