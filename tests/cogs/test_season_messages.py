"""What the messages of a season say and show."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cogs.messages.content import MOST_TEXT, Content, Picture
from cogs.messages.names import _MARKS
from cogs.messages.season import fair_message, last_message, season_message, season_picture, standings_message
from cogs.transport.components import layout_view
from data.content.texts import languages, texts
from data.records.match import Chair
from data.records.seasons import Entrant, Season, SeasonStatus, SeasonTable
from rendering.core.labels import Labels
from rules import GAMES
from tests.cogs.test_season import GAME, begun, opened, stored
from tests.cogs.test_seat_changes import a_match
from tests.support import apicheck
from tests.support.simulation import Simulation

PICTURE = Picture("round.png", b"", "a picture")
pytestmark = pytest.mark.usefixtures("plain")


async def test_it_speaks_the_language_of_the_server(sim: Simulation) -> None:
    await opened(sim, "alice", "bob")
    message = season_message(await stored(sim), GAMES[GAME], {}, Labels((), texts("de")), PICTURE)
    assert "In jeder Runde" in str(message.parts[2])
    labels = [button.label for row in message.rows for button in row]
    assert labels == ["Mitmachen", "Aussteigen", "Starten", "Tabelle", "🔒 Fair gemischt"]


async def test_its_picture_tells_who_is_ahead(sim: Simulation) -> None:
    """The cover, until a table is counted; then the first players, with halves of points; at the end the winner."""
    await begun(sim, "alice", "bob", "carol", rounds=2)
    season, messages = await stored(sim), sim.app.messages
    assert (await season_picture(messages, season, "en")).name == "cover.png"
    counted = [replace(season.tables[0], points=(1, 1)), replace(season.tables[1], points=(2, 0))]
    one, other = (season.entrants[place].name for place in counted[0].places)
    season = replace(season, tables=(counted[0], *season.tables[1:]))
    told = (await season_picture(messages, season, "en")).alt
    assert told.startswith("After 1 round: ") and all(f"{name}, ½ point (+0.5)" in told for name in (one, other))
    season = replace(season, tables=tuple(counted), status=SeasonStatus.OVER, ended_at=86_400)
    shown = await season_picture(messages, season, "de")
    assert shown.name == "end.png" and "2 Runden, 2. Januar 1970" in shown.alt


def body(content: Content) -> dict[str, object]:
    return {"components": layout_view(content).to_components()}


@pytest.mark.parametrize("name", ["*", "@", "W", "\u05d0"])
def test_the_longest_season_fits_in_a_message(name: str) -> None:
    """32 people with the longest names, at 16 tables. Each stays, with the number that tells them apart."""
    name *= 32
    tables = tuple(SeasonTable(1, at, (2 * at, 2 * at + 1), at, (2, 0), (2 * at,)) for at in range(16))
    people = tuple(Entrant(at, 10**18 + at, name) for at in range(32))
    season = Season(
        id=10**6,
        guild=10**18,
        channel=2,
        opener=3,
        game=GAME,
        name=name,
        locale="de",
        seats=2,
        rounds=31,
        days=30,
        clock="week",
        secret="ab" * 32,
        status=SeasonStatus.OVER,
        touched_at=0,
        round=1,
        round_ends=1,
        entrants=people,
        tables=tables,
    )
    match = replace(a_match(chairs=(Chair(0, 1, "Ann"),)), guild=10**18, channel=10**18)
    matches = dict.fromkeys(range(16), match)
    for code in languages():
        labels = Labels((), texts(code))
        for status in SeasonStatus:
            told = replace(season, status=status)
            game = GAMES[GAME]
            whole = [last_message(told, game, labels, PICTURE), standings_message(told, game, 1, labels, PICTURE)]
            whole.append(fair_message(told, game, 1, labels))
            message = season_message(told, game, matches, labels, PICTURE)
            if status in (SeasonStatus.OPEN, SeasonStatus.PLAYING):
                whole.append(message)
            for content in (*whole, message):
                shown = "".join(part["content"] for part in apicheck.components(body(content)) if part["type"] == 10)
                assert len(shown) <= MOST_TEXT
                assert content.foot in shown
                assert content not in whole or all(mark in shown for mark in _MARKS[:32]), (code, status)
