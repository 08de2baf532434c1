"""Seasons on Discord: from `/season open` to the message that tells the end, and who may do what."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from random import Random

import discord
import pytest
from simcord.actors import MemberActor

from cogs.match.seasons import DAY, Seasons
from cogs.match.tournament import drawn_rounds, standings
from cogs.transport.request_budget import PublishTiming
from cogs.transport.season_messages import EVERY, NEVER_SOON
from data.records.match import Status
from data.records.seasons import Season, SeasonStatus
from rules.core.chance import commitment
from tests.cogs.managing import manager
from tests.cogs.test_restored import backup, bring_back
from tests.support.call_sites import FailingConnection, Failure
from tests.support.matches import play_on
from tests.support.simulation import Shown, Simulation, controls, raw, words
from tests.support.verified import run

GAME = "sea_change"
pytestmark = pytest.mark.usefixtures("plain")


def seasons(sim: Simulation) -> Seasons:
    return sim.app.seasons


async def stored(sim: Simulation, number: int = 1) -> Season:
    return await seasons(sim).load(number)


async def look(sim: Simulation) -> None:
    """Let the bot do all that is due for seasons, and show it."""
    await sim.app.season_messages.look()
    await sim.caught_up()


async def people(sim: Simulation, *names: str) -> list[MemberActor]:
    """Return people of whom only the first manages the server."""
    return [manager(sim, names[0]), *sim.join_server(*names[1:])]


async def press(sim: Simulation, person: MemberActor, what: str, number: int = 1) -> str:
    message = (await stored(sim, number)).message
    said = await sim.forge(person, f"1/0/season//{what}/{number}", message=message)
    await look(sim)
    return said


async def text(sim: Simulation, *, last: bool = False) -> str:
    season = await stored(sim)
    number = season.last_message if last else season.message
    (message,) = [found for found in sim.channel.history() if found.id == number]
    return Shown(None, "", 0, raw(message)).text


async def opened(sim: Simulation, *names: str, **options: object) -> list[MemberActor]:
    found = await people(sim, *names)
    said = await sim.slash(found[0], "season open", **{"game": GAME, "title": "Cup", **options})
    assert "is open" in said
    await look(sim)
    for person in found:
        assert "You take part" in await press(sim, person, "join")
    return found


async def play_to_end(sim: Simulation, number: int) -> None:
    await play_on(sim.service, number, random=Random(number))


async def begun(sim: Simulation, *names: str, **options: object) -> list[MemberActor]:
    found = await opened(sim, *names, **options)
    assert "are drawn" in await press(sim, found[0], "start")
    return found


def sent(sim: Simulation, what: str, number: int = 1) -> list[int]:
    """Return the public messages that offer this of that season."""
    return [m.id for m in sim.channel.history() if f"1/0/season//{what}/{number}" in controls(raw(m))]


async def test_the_start_that_calls_everyone_is_asked_first(sim: Simulation) -> None:
    alice, bob = await opened(sim, "alice", "bob")
    for person, refused in ((bob, True), (alice, False)):
        asked = await sim.press(person, sim.board(), "Start")
        assert ("Only the person who opened" in sim.said(asked)) is refused
    assert "Start the season **Cup** now? Players: 2." in sim.said(asked)
    assert (await stored(sim)).status is SeasonStatus.OPEN and await sim.service.index.open_in(sim.guild.id) == []
    assert asked.response is not None
    await sim.press(alice, asked.response, "Yes, start it")
    assert "are drawn" in "\n".join(words(raw(asked.response.message)))
    assert (await stored(sim)).status is SeasonStatus.PLAYING
    assert "has begun" in await press(sim, alice, "ask_start")


async def test_a_season_from_its_opening_to_its_end(sim: Simulation) -> None:
    alice, *_ = await opened(sim, "alice", "bob", "carol", clock="day_1")
    secret = (await stored(sim)).secret
    assert commitment(secret) not in await text(sim), "figures stand behind a button"
    fair = await press(sim, alice, "fair")
    assert commitment(secret) in fair and "1 alice · 2 bob · 3 carol" in fair
    assert "**alice** · **bob** · **carol**" in await text(sim)
    assert "are drawn" in await press(sim, alice, "start")
    for number in (1, 2, 3):
        season = await stored(sim)
        assert (season.round, season.rounds) == (number, 3)
        (table,) = season.in_round(number)
        assert table.match == number
        match = await sim.match(number)
        assert (match.status, match.clock) == (Status.PLAYING, "day_1")
        assert {chair.user for chair in match.chairs} == {season.entrants[place].user for place in table.places}
        shown = await text(sim)
        assert f"Round {number} of 3" in shown
        assert f"channels/{sim.guild.id}/{match.place}" in shown
        assert "No table this round:" in shown
        assert secret not in await press(sim, alice, "fair"), "too early"
        await play_to_end(sim, number)
        await look(sim)
        assert f"After {number} round" in await text(sim) or number == 3, "its picture tells who is ahead"
    season = await stored(sim)
    assert season.status is SeasonStatus.OVER
    assert not [shown for shown in sim.shown() if secret in shown.all_text], "no player has asked for it after the end"
    last = await text(sim, last=True)
    first = standings(season)[0].entrant
    for told in (last, await text(sim), await sim.slash(alice, "season standings")):
        assert f"Congratulations, {first.name}!" in told
        assert f"1. **{first.name}** · " in told and "3 rounds" in told
    fair = await press(sim, alice, "fair")
    found = re.search(r"secret: (\w{64}) .* players: (\d+) · rounds: (\d+) · seats: (\d+) of (\d+) to (\d+)", fair)
    players, rounds, seats, least, most = map(int, found.groups()[1:])
    drawn = drawn_rounds(found[1], players, rounds, seats, range(least, most + 1))
    assert [tuple(table.places for table in season.in_round(at)) for at in (1, 2, 3)] == list(drawn)
    cursor = sim.cursor
    await look(sim)
    assert sim.cursor == cursor, "the end is told once"


async def test_who_may_do_what(sim: Simulation) -> None:
    alice, bob, carol = await people(sim, "alice", "bob", "carol")
    assert "Manage Server" in await sim.slash(bob, "season open", game=GAME, title="Cup")
    assert "no such season" in await sim.slash(bob, "season standings")
    assert "no such season" in await sim.slash(alice, "season stop")
    await sim.slash(alice, "season open", game=GAME, title="*Cup* @everyone")
    await look(sim)
    assert "\\*Cup\\* \\@\u200beveryone" in await text(sim)
    assert "already goes on" in await sim.slash(alice, "season open", game=GAME, title="Cup")
    assert "2 to 8" not in await sim.slash(alice, "season open", game="full_circle", title="Cup", players=4)
    assert "3 to 5 players" in await sim.slash(alice, "season open", game="full_sun", title="Cup", players=2)
    for person in (bob, carol):
        await press(sim, person, "join")
    assert "already take part" in await press(sim, bob, "join")
    assert "Only the person who opened" in await press(sim, bob, "start")
    assert "no longer" in await press(sim, carol, "leave")
    assert "do not take part" in await press(sim, carol, "leave")
    assert "at least 2" in await press(sim, alice, "start")
    await press(sim, carol, "join")
    await press(sim, alice, "start")
    assert "has begun" in await press(sim, alice, "join")
    assert "Only the person who opened" in await sim.slash(bob, "season stop", game=GAME)
    assert "Only the person who opened" in await press(sim, bob, "stop")
    assert "Stop the season" in await sim.slash(alice, "season stop", game=GAME)
    assert (await stored(sim)).status is SeasonStatus.PLAYING
    assert "is stopped" in await press(sim, alice, "stop")
    assert "This season was stopped" in await text(sim)
    assert "secret:" not in await press(sim, alice, "fair"), "its match goes on"
    assert "season is over" in await sim.slash(alice, "season stop", game=GAME)
    for forged in ("join/99", "join/", "join/x", "nothing/1", "", "last/1/2", "start/1"):
        assert await sim.forge(bob, f"1/0/season//{forged}", message=(await stored(sim)).message)


async def test_a_press_from_another_server_finds_no_season(sim: Simulation) -> None:
    (alice,) = await opened(sim, "alice")
    guild = sim.env.create_guild("Desert")
    channel = guild.create_text_channel("dunes")
    role = guild.create_role("keeper", permissions=discord.Permissions(manage_guild=True))
    there = guild.add_member(alice.user, roles=[role])
    message = await there.send(channel, "A message")
    for what in ("join", "leave", "start", "stop", "standings"):
        said = await sim.forge(alice, f"1/0/season//{what}/1", message=message.id, channel=channel.id)
        assert "no such season" in said
    assert "no such season" in await sim.slash(there, "season standings", channel)


async def test_a_deleted_message_is_sent_again_and_an_end_is_not(sim: Simulation) -> None:
    alice, bob = await opened(sim, "alice", "bob")
    old = (await stored(sim)).message
    sim.env.backend.delete_message(sim.channel.id, old)
    await sim.forge(bob, "1/0/season//leave/1", message=(await alice.send(sim.channel, "hello")).id)
    await look(sim)
    assert sent(sim, "standings") == [(await stored(sim)).message] != [old]
    await press(sim, bob, "join")
    await press(sim, alice, "start")
    await press(sim, alice, "stop")
    last = (await stored(sim)).last_message
    sim.env.backend.delete_message(sim.channel.id, last)
    await erase(sim, bob)
    assert sent(sim, "last") == []
    assert "deleted player" in await text(sim)
    assert "bob" not in await text(sim)


async def erase(sim: Simulation, person: MemberActor) -> None:
    await sim.forge(person, "1/0/data//delete", message=sim.board().id)
    await look(sim)


async def test_a_deletion_changes_all_messages_of_the_season(sim: Simulation) -> None:
    alice, bob = await begun(sim, "alice", "bob")
    await press(sim, alice, "stop")
    assert "bob" in await text(sim, last=True)
    await erase(sim, bob)
    assert "bob" not in await text(sim, last=True)
    assert "bob" not in await text(sim)


@pytest.mark.parametrize("lost", [False, True])
async def test_discord_fails_while_a_season_is_shown(
    sim: Simulation, monkeypatch: pytest.MonkeyPatch, lost: bool
) -> None:
    wire = FailingConnection(monkeypatch)
    (alice, _) = await people(sim, "alice", "bob")
    wire.fail("transport.season_messages._say:send_public", Failure("answer", status=500, lost=lost), 1)
    await sim.slash(alice, "season open", game=GAME, title="Cup")
    for _ in range(3):
        await look(sim)
    assert wire.hits
    assert len(sent(sim, "standings")) == 1
    assert sent(sim, "standings") == [(await stored(sim)).message]


async def test_discord_fails_while_tables_are_opened(sim: Simulation, monkeypatch: pytest.MonkeyPatch) -> None:
    """The tables are stored. They are shown once Discord takes them, once each."""
    people = await opened(sim, "alice", "bob", "carol", "dave")
    sim.set_timing(PublishTiming(edits=0, computer=0, retry=0.002, longest_retry=0.01))
    sim.env.inject_error("POST", f"/channels/{sim.channel.id}/messages", status=500, times=4)
    await press(sim, people[0], "start")
    season = await stored(sim)
    assert [table.match for table in season.in_round(1)] == [1, 2]
    boards = [m for m in sim.channel.history() if any("/hand//" in c for c in controls(raw(m)))]
    assert len(boards) == 2


async def test_a_season_whose_channel_is_gone_stops(sim: Simulation) -> None:
    await begun(sim, "alice", "bob", rounds=3)
    match = await sim.match(1)
    sim.env.backend.delete_channel(sim.channel.id)
    await sim.service.save(replace(match, status=Status.CANCELLED, ended_at=1))
    await look(sim)
    season = await stored(sim)
    assert (season.status, season.round) == (SeasonStatus.STOPPED, 2)
    cursor = sim.cursor
    for _ in range(3):
        await look(sim)
    assert len(sim.env.http_requests[cursor:]) < 3, "it does not ask for ever"


async def test_a_server_that_removed_the_bot_keeps_its_season_until_it_is_back(
    sim: Simulation, monkeypatch: pytest.MonkeyPatch
) -> None:
    await begun(sim, "alice", "bob", rounds=2)
    cursor = sim.cursor
    with monkeypatch.context() as away:
        away.setattr(sim.bot, "get_guild", lambda number: None)
        await sim.service.save(replace(await sim.match(1), status=Status.CANCELLED, ended_at=1))
        await look(sim)
        assert (await stored(sim)).round == 1
    await look(sim)
    assert (await stored(sim)).round == 2
    assert sim.cursor > cursor


async def test_a_deadline_that_passed_while_the_bot_was_down(sim: Simulation) -> None:
    people = await begun(sim, "alice", "bob", rounds=2, days=2)
    await sim.restart(down=2 * DAY + 1)
    await look(sim)
    season = await stored(sim)
    assert season.round == 2
    assert "Round 2 of 2" in await text(sim)
    assert len(sent(sim, "standings")) == 1
    await sim.caught_up()
    for person in people:
        shown = [told for told in sim.visible(person) if "no longer counts" in told]
        assert len(shown) == 2, "the table of the round that is over, and the hand at it"
        assert all("**Cup**: round 1 is over" in told for told in shown)
        assert [told for told in sim.visible(person) if "**Cup**: a match of round 2." in told]


async def test_a_round_whose_end_came_while_the_bot_was_away_goes_on_for_a_day(sim: Simulation) -> None:
    """Else an outage would decide a season."""
    await begun(sim, "alice", "bob", rounds=2, days=2)
    for _ in range(2):  # a second outage takes nothing away either
        await sim.restart(down=3 * DAY)
        await look(sim)
        season = await stored(sim)
        assert season.round == 1 and season.round_ends == int(sim.now()) + DAY
        assert f"<t:{season.round_ends}:R>" in await text(sim)
    sim.env.backend.advance_clock(DAY)
    await look(sim)
    assert (await stored(sim)).round == 2


async def test_a_match_of_a_stopped_season_says_that_it_counts_no_longer(sim: Simulation) -> None:
    alice, _ = await begun(sim, "alice", "bob")
    assert [told for told in sim.visible(alice) if "a match of round 1." in told]
    await press(sim, alice, "stop")
    await sim.caught_up()
    assert not [told for told in sim.visible(alice) if "a match of round 1." in told]
    assert [told for told in sim.visible(alice) if "round 1 is over" in told]


async def test_the_bot_goes_on_by_itself(sim: Simulation) -> None:
    """Without a look by hand: a press shows at once, a deadline within a minute."""
    (alice, bob) = await people(sim, "alice", "bob")
    await sim.slash(alice, "season open", game=GAME, title="Cup", days=1, rounds=2)
    await sim.env.advance_time(2)
    assert len(sent(sim, "join")) == 1
    for person, what in ((alice, "join"), (bob, "join"), (alice, "start")):
        await sim.forge(person, f"1/0/season//{what}/1", message=sim.board().id)
    await sim.env.advance_time(2)
    assert (await sim.match(1)).status is Status.PLAYING
    sim.env.backend.advance_clock(DAY)
    await sim.env.advance_time(65)
    assert (await stored(sim)).round == 2
    assert (await sim.match(2)).status is Status.PLAYING
    await sim.caught_up()
    assert len([told for told in sim.visible(bob) if "round 1 is over" in told]) == 2, "at the table and in the hand"


async def proved(sim: Simulation, number: int, promised: str) -> tuple[int, str]:
    """What docs/verify.py finds in the file of that match, with a fingerprint."""
    path = Path(sim.settings.database).with_suffix(".json")
    path.write_bytes((await sim.app.verifier.verify(number)).export)
    return run(path, promised)


async def test_a_table_is_checked_by_the_seasons_fingerprint_once_the_season_is_over(sim: Simulation) -> None:
    await begun(sim, "alice", "bob", "carol")
    season = await stored(sim)
    while season.going_on:
        number = season.in_round(season.round)[0].match or 0
        secret = (await sim.match(number)).secret
        await play_to_end(sim, number)
        assert season.secret.encode() not in (await sim.app.verifier.verify(number)).export, "too early"
        code, said = await proved(sim, number, commitment(season.secret))
        assert (code, "NO  the season is over, so that" in said) == (1, True), said
        assert (await proved(sim, number, commitment(secret)))[0] == 0
        await look(sim)
        season = await stored(sim)
    for table in season.tables:
        code, said = await proved(sim, table.match or 0, commitment(season.secret))
        assert code == 0, said
        assert f"ok  the secret of table 1 of round {table.round} follows from it" in said


@pytest.mark.parametrize("way", ["its time is over", "it is stopped"])
async def test_the_secret_is_told_when_the_last_match_is_over(sim: Simulation, way: str) -> None:
    """A match may go on after its season. With the season's secret everyone would know its cards."""
    alice, bob = await begun(sim, "alice", "bob", rounds=1, days=1)
    secret = (await stored(sim)).secret
    if way == "it is stopped":
        await seasons(sim).stop(1, alice.id, manages=True)
    else:
        sim.env.backend.advance_clock(DAY + 1)
    await look(sim)
    season, match = await stored(sim), await sim.match(1)
    assert (season.going_on, season.under_way, match.open) == (False, True, True)
    assert commitment(secret) in await press(sim, bob, "fair")
    assert secret not in await sim.slash(bob, "season standings")
    assert not [shown for shown in sim.shown() if secret in shown.all_text]
    assert await sim.app.season_messages.look() == EVERY, "it is told soon after the end"
    await play_to_end(sim, 1)
    await look(sim)
    assert not (await stored(sim)).under_way
    assert secret in await press(sim, bob, "fair")
    assert (await proved(sim, 1, commitment(secret)))[0] == 0
    assert await sim.app.season_messages.look() == NEVER_SOON


async def test_a_season_whose_end_was_told_before_a_restore_deals_no_further_table(sim: Simulation) -> None:
    """Everyone who has read its last message could compute the cards of tables to come."""
    await begun(sim, "alice", "bob", rounds=2)
    chosen = await backup(sim)
    for number in (1, 2):
        await play_to_end(sim, number)
        await look(sim)
    assert (await stored(sim)).status is SeasonStatus.OVER
    await bring_back(sim, chosen)
    await look(sim)
    season = await stored(sim)
    assert (season.status, season.restores) == (SeasonStatus.STOPPED, 1)
    assert [table.match for table in season.tables] == [1, None]
    assert len(sent(sim, "last")) == 1
    assert "stopped" in await text(sim, last=True)


async def test_a_season_goes_on_after_a_restore(sim: Simulation) -> None:
    await begun(sim, "alice", "bob", rounds=2)
    chosen = await backup(sim)
    await bring_back(sim, chosen)
    await play_to_end(sim, 1)
    await look(sim)
    season = await stored(sim)
    assert (season.status, season.round, season.restores) == (SeasonStatus.PLAYING, 2, 1)


async def test_a_press_shows_a_season_whatever_clock_it_has(sim: Simulation, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the browser a press runs by the simulated clock, and the task that shows seasons by the machine's."""
    looked, messages = list[int](), sim.app.season_messages
    monkeypatch.setattr(messages.task, "wake", lambda: looked.append(1))
    monkeypatch.setattr(messages.task, "_now", lambda: 0.0)
    messages.task.asleep, messages.task.due = True, 5.0
    messages.soon()
    assert looked == [1]
