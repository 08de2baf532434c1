"""Lobbies with a start time: who may set it, the reminder, the start or the reason why not, and the server's event."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from zoneinfo import ZoneInfo

import discord
import pytest
from simcord.actors import MemberActor

from cogs.match.host_rights import LATE, REMINDER
from cogs.match.membership import IDLE_LOBBY
from cogs.match.refusals import Reason, Refused
from cogs.transport.request_budget import PublishTiming
from data.records.match import MissedStart, Status
from tests.cogs.managing import choose
from tests.support.call_sites import FailingConnection, Failure
from tests.support.inside import lobby_of
from tests.support.simulation import Shown, Simulation, raw

pytestmark = pytest.mark.usefixtures("plain")
TIME, HALF_AN_HOUR = "1/1/start_time//", 1800


async def three(sim: Simulation, seated: int = 2, *, manages: bool = False) -> list[MemberActor]:
    """Open a lobby in which the first people sit, and return all three."""
    rights = discord.Permissions(manage_guild=manages)
    people = [*sim.join_server("alice", roles=[sim.guild.create_role("first", permissions=rights)])]
    people += sim.join_server("bob", "carol")
    await sim.lobby(*people[:seated], game="full_circle")
    await sim.greeted()
    return people


def text(sim: Simulation) -> str:
    return Shown(None, "", 0, raw(sim.board())).text


def events(sim: Simulation) -> list[object]:
    return list(sim.env.backend.get_guild(sim.guild.id).scheduled_events.values())


async def test_a_lobby_counts_down_reminds_once_and_starts(sim: Simulation) -> None:
    alice, bob, _ = await three(sim)
    await sim.press(alice, sim.board(), TIME, str(HALF_AN_HOUR))
    at = (await sim.match()).starts_at
    assert f"<t:{at}:R>" in text(sim)
    cursor = sim.cursor
    await sim.env.advance_time(HALF_AN_HOUR - REMINDER - 2)
    assert not sim.pings(cursor)
    await sim.env.advance_time(4)
    assert sorted(sim.pings(cursor)) == sorted([alice.id, bob.id])
    assert f"starts <t:{at}:R>" in sim.shown(cursor)[-1].text
    await sim.restart()
    await sim.env.advance_time(REMINDER / 2)
    assert len(sim.pings(cursor)) == 2
    assert (await sim.match()).status is Status.LOBBY
    await sim.env.advance_time(REMINDER / 2 + 1)
    match = await sim.match()
    assert match.status is Status.PLAYING
    assert 0 <= match.started_at - at <= 2


async def test_a_lobby_that_cannot_start_says_why_and_stays(sim: Simulation) -> None:
    alice, bob, _ = await three(sim, seated=1)
    await sim.press(alice, sim.board(), TIME, "900")
    at = (await sim.match()).starts_at
    await sim.env.advance_time(902)
    match = await sim.match()
    assert match.status is Status.LOBBY
    assert match.starts_at is None
    assert match.missed_start == MissedStart(at or 0, "too_few")
    assert "players were still missing" in text(sim)
    await sim.press(bob, sim.board(), "Join")
    assert "Enough players are here" in text(sim) and "players are still" not in text(sim)
    await sim.press(alice, sim.board(), "1/1/start//")
    assert (await sim.match()).status is Status.PLAYING


async def test_a_lobby_begins_no_match_against_the_game_by_itself(sim: Simulation) -> None:
    """Its host waited for others: they begin one alone only with a press, or if they said that one plays."""
    await sim.lobby("alice")
    alice = sim.people["alice"]
    await sim.press(alice, sim.board(), TIME, "900")
    await sim.env.advance_time(902)
    assert (await sim.match()).status is Status.LOBBY and "players were still missing" in text(sim)
    await sim.press(alice, sim.board(), "1/1/option//seats", "1")
    await sim.press(alice, sim.board(), TIME, "900")
    await sim.env.advance_time(902)
    assert (await sim.match()).status is Status.PLAYING


async def test_a_start_is_given_up_if_the_bot_was_down_for_long(sim: Simulation) -> None:
    alice, *_ = await three(sim)
    await sim.press(alice, sim.board(), TIME, "900")
    await sim.restart(down=900 + LATE + 1)
    await sim.env.advance_time(2)
    match = await sim.match()
    assert match.status is Status.LOBBY
    assert match.missed_start.why == "late"
    assert "I was offline" in text(sim)


async def test_a_short_outage_only_delays_the_start(sim: Simulation) -> None:
    alice, *_ = await three(sim)
    await sim.press(alice, sim.board(), TIME, "900")
    await sim.restart(down=900 + LATE / 2)
    await sim.env.advance_time(2)
    assert (await sim.match()).status is Status.PLAYING


async def test_only_the_host_sets_the_time(sim: Simulation) -> None:
    alice, bob, carol = await three(sim)
    for person in (bob, carol):
        said = await sim.forge(person, TIME, values=["900"])
        assert "Only the host" in said
        assert "Only the host" in await sim.forge(person, "1/1/start_at//")
    for value in ("1", "x", "", "-900"):
        assert "That button no longer works" in await sim.forge(alice, TIME, values=[value])
    assert (await sim.match()).starts_at is None
    await sim.press(alice, sim.board(), TIME, "900")
    await sim.press(alice, sim.board(), TIME, "none")
    assert (await sim.match()).starts_at is None
    await sim.env.advance_time(1000)
    assert (await sim.match()).status is Status.LOBBY


async def type_time(sim: Simulation, host: MemberActor, line: str) -> str:
    asked = await host.click(await sim.more(host), custom_id="1/1/start_at//")
    return sim.said(await host.submit_modal(asked, {"line": line}))


async def test_the_host_types_a_time_of_day(sim: Simulation) -> None:
    alice, *_ = await three(sim)
    await sim.slash(alice, "hours", zone="Asia/Tokyo")
    for typed, minutes in (("20:30", 20 * 60 + 30), ("7", 7 * 60), ("0.15", 15)):
        await type_time(sim, alice, typed)
        at = (await sim.match()).starts_at
        assert at % 86_400 == (minutes - 9 * 60) * 60 % 86_400
        assert 0 < at - sim.now() <= 86_400


async def test_the_host_types_a_date_in_their_own_zone(sim: Simulation) -> None:
    alice, *_ = await three(sim)
    await sim.slash(alice, "hours", zone="new york")
    at = int(datetime(2026, 1, 20, 20, tzinfo=ZoneInfo("America/New_York")).timestamp())
    for typed in ("2026-01-20 20:00", "20.1. 20 Uhr", "Jan 20, 8pm", "20 Jan 20h"):
        await sim.press(alice, sim.board(), TIME, "none")
        assert (await sim.match()).starts_at is None
        await type_time(sim, alice, typed)
        assert (await sim.match()).starts_at == at, typed
        assert f"<t:{at}:F>" in text(sim)


async def test_what_is_no_time_to_start_is_refused_with_what_was_understood(sim: Simulation) -> None:
    alice, *_ = await three(sim)
    assert "I do not understand “soon” as a time" in await type_time(sim, alice, "soon")
    for typed in ("2026-02-20 20:00", "2025-12-31 20:00", "today 0:00"):
        assert "30 days from now. I understood <t:" in await type_time(sim, alice, typed), typed
    assert (await sim.match()).starts_at is None


async def test_a_lobby_with_a_start_time_is_not_closed_while_it_waits_for_it(sim: Simulation) -> None:
    alice, *_ = await three(sim)
    await type_time(sim, alice, "2026-01-20 20:00")
    at = (await sim.match()).starts_at
    for _ in range(2):
        await sim.restart(down=IDLE_LOBBY + 3600)
        await sim.app.membership.close_idle()
        match = await sim.match()
        assert (match.status, match.starts_at) == (Status.LOBBY, at)
    cursor = sim.cursor
    await sim.restart(down=at - REMINDER - sim.now() - 60)
    await sim.env.advance_time(90)
    assert len(sim.pings(cursor)) == 2
    await sim.env.advance_time(REMINDER)
    assert (await sim.match()).status is Status.PLAYING


async def test_a_lobby_that_missed_its_time_has_as_long_as_any_other(sim: Simulation) -> None:
    alice, *_ = await three(sim)
    await type_time(sim, alice, "2026-01-20 20:00")
    at = (await sim.match()).starts_at
    await sim.restart(down=at + LATE + 60 - sim.now())
    await sim.env.advance_time(2)
    assert (await sim.match()).missed_start is not None
    await sim.app.membership.close_idle()
    assert (await sim.match()).status is Status.LOBBY
    await sim.restart(down=IDLE_LOBBY + 60)
    await sim.app.membership.close_idle()
    assert (await sim.match()).status is Status.CANCELLED


async def test_an_event_follows_the_start_time(sim: Simulation) -> None:
    alice, *_ = await three(sim, manages=True)
    await sim.press(alice, sim.board(), TIME, "3600")
    assert not events(sim)
    await choose(sim, alice, "events", "on")
    await sim.press(alice, sim.board(), TIME, "3600")
    (event,) = events(sim)
    before = event.scheduled_start_time
    await sim.press(alice, sim.board(), TIME, "7200")
    (event,) = events(sim)
    assert event.scheduled_start_time != before
    await sim.press(alice, sim.board(), TIME, "none")
    assert not events(sim)
    await sim.press(alice, sim.board(), TIME, "3600")
    (event,) = events(sim)
    await sim.press(alice, sim.board(), "1/1/start//")  # before its time
    assert not events(sim)


async def test_an_event_stays_if_the_match_begins_on_time(sim: Simulation) -> None:
    alice, *_ = await three(sim, manages=True)
    await choose(sim, alice, "events", "on")
    await sim.press(alice, sim.board(), TIME, "900")
    await sim.env.advance_time(902)
    assert (await sim.match()).status is Status.PLAYING
    assert len(events(sim)) == 1
    cursor = sim.cursor
    post = (await sim.service.posts.of(1)).event
    assert post.over
    await sim.restart()
    assert not [entry for entry in sim.env.http_requests[cursor:] if "scheduled-events" in entry.path]


async def test_an_event_whose_answer_was_lost_is_found(sim: Simulation, monkeypatch: pytest.MonkeyPatch) -> None:
    alice, *_ = await three(sim, manages=True)
    await choose(sim, alice, "events", "on")
    sim.set_timing(PublishTiming(edits=0, computer=0, retry=0.002, longest_retry=0.01))
    wire = FailingConnection(monkeypatch)
    wire.fail("transport.calendar_events._made:create_scheduled_event", Failure("lost", lost=True), 1)
    await sim.press(alice, sim.board(), TIME, "3600")
    await sim.caught_up()
    assert wire.hits == 1
    (event,) = events(sim)
    post = (await sim.service.posts.of(1)).event
    assert post.message == event.id


async def test_a_lobby_does_without_an_event_that_is_refused(sim: Simulation) -> None:
    alice, *_ = await three(sim, manages=True)
    await choose(sim, alice, "events", "on")
    sim.env.inject_error("POST", f"/guilds/{sim.guild.id}/scheduled-events", status=403, code=50013, times=None)
    await sim.press(alice, sim.board(), TIME, "900")
    assert not events(sim)
    assert not await sim.service.posts.behind()
    await sim.env.advance_time(902)
    assert (await sim.match()).status is Status.PLAYING


@pytest.mark.parametrize("error", [Refused(Reason.BUSY), Refused(Reason.NOT_STORED), RuntimeError()])
async def test_one_lobby_that_cannot_be_looked_at_delays_no_other(
    sim: Simulation, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    """A refusal is tried again with the next look; a fault is raised once the other lobby has started."""
    await three(sim)
    other = sim.guild.create_text_channel("other")
    for person in list(sim.people.values())[:2]:
        if person.name == "alice":
            await sim.slash(person, "play", other, game="sea_change")
        else:
            await sim.press(person, sim.board(other), "Join")
    starts = sim.app.starts
    now = int(sim.service.now())
    for number in (1, 2):
        async with sim.service.deciding(number) as match:
            await sim.service.save(replace(match, starts_at=now))
    start = lobby_of(starts).start_on_time

    async def fails_first(number: int, at: int) -> None:
        if number == 1:
            raise error
        await start(number, at)

    monkeypatch.setattr(lobby_of(starts), "start_on_time", fails_first)
    if isinstance(error, RuntimeError):
        with pytest.raises(RuntimeError):
            await starts.due()
    else:
        await starts.due()
    assert (await sim.match(2)).status is Status.PLAYING
    assert (await sim.match(1)).starts_at == now, "it is tried again"
    monkeypatch.setattr(lobby_of(starts), "start_on_time", start)
    await starts.due()
    assert (await sim.match(1)).status is Status.PLAYING
