"""What the messages of a season say and show."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cogs.match.tournament import standings
from cogs.messages.content import MOST_TEXT, Content, Picture
from cogs.messages.names import _MARKS
from cogs.messages.season import (
    fair_message,
    last_message,
    remove_question,
    season_message,
    season_picture,
    standings_message,
)
from cogs.transport.components import layout_view
from data.content.texts import languages, texts
from data.records.match import Chair
from data.records.seasons import Entrant, SeasonStatus, SeasonTable
from rendering.core.labels import Labels
from rules import GAMES
from tests.cogs.seasons.test_standings import played
from tests.cogs.test_season import GAME, begun, erase, look, opened, play_to_end, press, seasons, sent, stored, text
from tests.cogs.test_seat_changes import a_match
from tests.support import apicheck
from tests.support.call_sites import FailingConnection, Failure
from tests.support.simulation import Shown, Simulation, controls, raw

PICTURE = Picture("round.png", b"", "a picture")
pytestmark = pytest.mark.usefixtures("plain")


async def test_it_speaks_the_language_of_the_server(sim: Simulation) -> None:
    await opened(sim, "alice", "bob")
    message = season_message(await stored(sim), GAMES[GAME], {}, Labels((), texts("de")), PICTURE)
    assert "In jeder Runde" in str(message.parts[2])
    labels = [button.label for row in message.rows for button in row]
    assert labels == ["Mitmachen", "Aussteigen", "Starten", "Tabelle", "🔒 Fair gemischt"]


async def test_that_it_cannot_be_shown_is_logged_once_and_once_when_it_can(
    sim: Simulation, caplog: pytest.LogCaptureFixture
) -> None:
    alice, *_ = await opened(sim, "alice", "bob")
    sim.env.inject_error("*", f"/channels/{sim.channel.id}/messages*", status=503, times=None)
    await press(sim, alice, "leave")
    for _ in range(3):
        await look(sim)
    sim.env.backend.faults.clear()
    await look(sim)
    said = [record.getMessage().partition(":")[0] for record in caplog.records if record.levelname == "WARNING"]
    assert said == ["season 1 cannot be shown", "Discord takes what seasons show again"]


@pytest.mark.parametrize("way", ["leaves", "deletes their data", "is removed"])
async def test_it_names_those_who_are_left_before_it_begins(sim: Simulation, way: str) -> None:
    """The player who signed up first goes: the others keep their numbers until the season begins."""
    people = await opened(sim, "alice", "bob", "carol")
    if way == "leaves":
        await press(sim, people[0], "leave")
    elif way == "is removed":
        await sim.app.seasons.remove(1, people[0].id)
    else:
        await erase(sim, people[0])
    await look(sim)
    shown = await text(sim)
    assert "**bob** · **carol**" in shown and "**alice**" not in shown
    assert "Numbers in the draw: 1 bob · 2 carol" in await press(sim, people[1], "fair")
    assert "Cup" in await press(sim, people[1], "standings")
    season, labels = await stored(sim), Labels((), texts("en"))
    asked = remove_question(season, season.entrants[-1], people[1].id, labels)
    assert "Take **carol** out" in str(asked.parts[0])


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


def told(sim: Simulation, number: int = 1) -> list[str]:
    """Return the public messages that tell the end of a round of that season."""
    found = [raw(m) for m in sim.channel.history()]
    return [Shown(None, "", 0, m).text for m in found if any(f"season//round/{number}/" in c for c in controls(m))]


async def test_the_end_of_each_round_is_told_in_one_message(sim: Simulation) -> None:
    """Who leads and by how much, and when the next round ends. A new one takes the place of the one before."""
    alice, *_ = await begun(sim, "alice", "bob", "carol", rounds=3)
    assert told(sim) == []
    for number in (1, 2):
        await play_to_end(sim, number)
        await look(sim)
        season = await stored(sim)
        lines = standings(season)
        (shown,) = told(sim)
        assert f"Round {number} of 3 is over" in shown
        shares = lines[0].points == lines[1].points
        assert ("share the lead" if shares else f"**{lines[0].entrant.name}** leads with") in shown
        assert f"Round {number + 1} has begun; it ends <t:{season.round_ends}:R> at the latest." in shown
        assert f"Table {number}: " in shown and "No table this round: " in shown
        assert "Cup" in await sim.forge(alice, f"1/0/season//round/1/{number}", message=season.last_message)
        cursor = sim.cursor
        await look(sim)
        assert sim.cursor == cursor, "it is told once"
    await play_to_end(sim, 3)
    await look(sim)
    assert told(sim) == [] and len(sent(sim, "last")) == 1, "the end of the season takes its place"
    assert "Players from start to end: 3." in await text(sim, last=True)


async def test_the_end_of_a_round_is_not_told_again(sim: Simulation, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not after a lost answer and a kill, and not if it was deleted; a deletion of data changes it."""
    _, bob, _ = await begun(sim, "alice", "bob", "carol", rounds=3)
    await play_to_end(sim, 1)
    wire = FailingConnection(monkeypatch)
    wire.fail("transport.season_messages._say:send_public", Failure("answer", status=500, lost=True), 1)
    await look(sim)
    assert wire.hits
    await sim.restart()
    await look(sim)
    assert len(told(sim)) == 1
    await erase(sim, bob)
    assert "deleted player" in told(sim)[0] and "bob" not in told(sim)[0]
    last = (await stored(sim)).last_message
    sim.env.backend.delete_message(sim.channel.id, last)
    await sim.app.seasons.stored.remove(1, (await stored(sim)).entrants[0].user or 0)
    await look(sim)
    assert told(sim) == []


async def test_the_end_of_a_season_says_who_was_not_there_any_more(sim: Simulation) -> None:
    alice, bob, _ = await begun(sim, "alice", "bob", "carol", rounds=1)
    await seasons(sim).remove(1, bob.id)
    await press(sim, alice, "stop")
    assert "Players from start to end: 2. No longer there: bob." in await text(sim, last=True)


def body(content: Content) -> dict[str, object]:
    return {"components": layout_view(content).to_components()}


@pytest.mark.parametrize("name", ["*", "@", "W", "\u05d0"])
def test_the_longest_season_fits_in_a_message(name: str) -> None:
    """32 people with the longest names, at 16 tables. Each stays, with the number that tells them apart."""
    name *= 32
    tables = tuple(SeasonTable(1, at, (2 * at, 2 * at + 1), at, (2, 0), (2 * at,)) for at in range(16))
    people = tuple(Entrant(at, 10**18 + at, name) for at in range(32))
    long = {"id": 10**6, "guild": 10**18, "name": name, "rounds": 31, "days": 30, "clock": "week", "round": 1}
    season = replace(played(*tables, players=32), entrants=people, round_ends=1, **long)
    match = replace(a_match(chairs=(Chair(0, 1, "Ann"),)), guild=10**18, channel=10**18)
    matches = dict.fromkeys(range(16), match)
    for code in languages():
        labels = Labels((), texts(code))
        for status in SeasonStatus:
            told = replace(season, status=status)
            game = GAMES[GAME]
            ended = replace(told, round=2 if status is SeasonStatus.PLAYING else 1)
            whole = [last_message(ended, game, labels, PICTURE), standings_message(told, game, 1, labels, PICTURE)]
            whole.append(fair_message(told, game, 1, labels))
            message = season_message(told, game, matches, labels, PICTURE)
            if status in (SeasonStatus.OPEN, SeasonStatus.PLAYING):
                whole.append(message)
            for content in (*whole, message):
                shown = "".join(part["content"] for part in apicheck.components(body(content)) if part["type"] == 10)
                assert len(shown) <= MOST_TEXT
                assert content.foot in shown
                assert content not in whole or all(mark in shown for mark in _MARKS[:32]), (code, status)
