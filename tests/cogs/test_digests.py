"""A digest: one message for many tables, when it is due and not before, once, and only where there is news."""

from __future__ import annotations

import discord
import pytest
from simcord.actors import MemberActor

from cogs.match.clocks import GRACE, clock_of
from cogs.match.time_controls import HOUR, PRESETS
from cogs.preferences import HOURS
from cogs.transport.digests import MOST_LISTED
from data.content.texts import language, texts
from data.records.terms import Terms
from rendering.core.labels import Labels
from tests.cogs.clocked import until
from tests.cogs.pings import calls
from tests.support.simulation import Simulation, raw, words
from tests.support.table import WORDS, Table

pytestmark = pytest.mark.usefixtures("plain")

IN_WORDS = dict.fromkeys(("alice", "bob"), WORDS)


async def tables(sim: Simulation, *clocks: str, hours: int = 6) -> list[Table]:
    """Tables of alice, who wants a digest, and bob, that all wait for alice."""
    people = sim.join_server("alice", "bob")
    found = []
    for number, clock in enumerate(clocks):
        options = {"clock": clock}
        table = await Table.open(sim, "sea_change", people, seed=f"table {number}", ways=IN_WORDS, options=options)
        if not found:
            await sim.forge(people[0], "1/0/setting//digest", values=[str(hours)])
        await sim.press(people[0], sim.board(), "Start")
        found.append(table)
    for table in found:
        await wait_for_alice(table)
    return found


async def wait_for_alice(table: Table) -> None:
    await decide_until(table, "bob", "alice")


async def wait_for_bob(table: Table) -> None:
    await decide_until(table, "alice", "bob")


async def decide_until(table: Table, decides: str, awaited: str) -> None:
    while True:
        match, state = await table.now()
        if match.seat_of(table.sim.people[awaited].id) in state.to_move():
            return
        await table.decide(table.sim.people[decides])


def digests(sim: Simulation, person: MemberActor, since: int) -> list[str]:
    found = [shown.text for shown in sim.shown(since) if shown.viewer == person.id and shown.method == "POST"]
    return [text for text in found if "Tables waiting for you" in text]


async def due(sim: Simulation, person: MemberActor) -> int:
    return int((await sim.service.people.get(person.id)).digest_due)


async def test_one_message_lists_what_waits_the_most_urgent_first(sim: Simulation) -> None:
    cursor = sim.cursor
    found = await tables(sim, "none", "week", "day_1", hours=12)
    alice = sim.people["alice"]
    greetings = calls(sim, alice, cursor)
    assert greetings[1] == len(found), "of each table, its host is told once that it can start"
    await until(sim, await due(sim, alice) - 60)
    assert calls(sim, alice, cursor) == greetings, "no turn has pinged by itself"
    cursor = sim.cursor
    await sim.restart()
    await until(sim, await due(sim, alice) + 1)
    (said,) = digests(sim, alice, cursor)
    assert "Tables waiting for you:** 3" in said
    assert [said.index(f"table {number}]") for number in (3, 2, 1)] == sorted(
        said.index(f"table {number}]") for number in (1, 2, 3)
    )
    match = (await found[2].now())[0]
    ends = clock_of(match, match.seat_of(alice.id) or 0).ends
    assert f"(https://discord.com/channels/{sim.guild.id}/{sim.channel.id}) · ends <t:{ends}:R>" in said
    assert calls(sim, alice, cursor) == (1, 0)
    # The same tables wait on: that has been said.
    await sim.restart()
    await until(sim, await due(sim, alice) + 1)
    assert len(digests(sim, alice, cursor)) == 1
    # Something new, and what waits besides.
    await wait_for_bob(found[0])
    await wait_for_alice(found[0])
    before = sim.dms(alice)
    await until(sim, await due(sim, alice) + 1)
    assert "Tables waiting for you:** 3" in digests(sim, alice, cursor)[1]

    def standing() -> list[discord.Message]:
        return [m for m in sim.dms(alice) if "Tables waiting" in "\n".join(words(raw(m)))]

    assert len(standing()) == 1, "the last one goes"
    assert len(sim.dms(alice)) == len(before)
    for table in found:
        await wait_for_bob(table)
    await until(sim, await due(sim, alice) + 1)
    assert standing() == [], "so does the newest once no table waits"


async def test_nothing_is_sent_where_nothing_waits(sim: Simulation) -> None:
    (table,) = await tables(sim, "none", hours=1)
    alice = sim.people["alice"]
    cursor = sim.cursor
    await wait_for_bob(table)
    await sim.env.advance_time(5 * HOUR)
    assert digests(sim, alice, cursor) == []
    assert calls(sim, alice, cursor) == (0, 0)


async def test_a_digest_is_never_sent_in_quiet_hours(sim: Simulation) -> None:
    """However often it comes: it waits for their end, also over a restart."""
    (table,) = await tables(sim, "week", hours=24)
    alice = sim.people["alice"]
    for hours in sorted(filter(None, HOURS)):
        await sim.slash(alice, "hours", quiet_from="none")
        await sim.forge(alice, "1/0/setting//digest", values=[str(hours)])
        await wait_for_bob(table)
        await wait_for_alice(table)
        at, cursor = int(sim.now() // HOUR) + hours, sim.cursor
        await sim.slash(alice, "hours", quiet_from=f"{(at - 1) % 24}", quiet_to=f"{(at + 5) % 24}")
        await until(sim, await due(sim, alice) + 60)
        if hours == 3:
            await sim.restart()
        await until(sim, (at + 5) * HOUR - 60)
        assert not digests(sim, alice, cursor), hours
        await sim.env.advance_time(120)
        assert len(digests(sim, alice, cursor)) == 1, hours


async def test_a_live_clock_and_time_that_runs_out_do_not_wait_for_it(sim: Simulation) -> None:
    start = sim.cursor
    days, live = await tables(sim, "day_1", "live_15", hours=24)
    alice = sim.people["alice"]
    assert calls(sim, alice, start)[1] == 2, "of each table, its host is told once that it can start"
    assert sim.pings(start).count(alice.id) == 2 + 2, "the greeting, and the table with the clock for an evening"
    await live.decide(alice)
    await sim.forge(alice, "1/2/vote_sure//end")
    await sim.forge(sim.people["bob"], "1/2/vote_sure//end")
    await sim.env.advance_time(GRACE)
    match = (await days.now())[0]
    clock = clock_of(match, match.seat_of(alice.id) or 0)
    cursor = sim.cursor
    await until(sim, clock.ends - PRESETS["day_1"].nudges[0] - 60)
    sent = len(digests(sim, alice, cursor))
    assert calls(sim, alice, cursor) == (sent, 0)
    cursor = sim.cursor
    await until(sim, clock.ends - PRESETS["day_1"].nudges[0])
    assert calls(sim, alice, cursor) == (1, 0)
    assert digests(sim, alice, cursor) == []


async def test_who_takes_no_direct_messages_gets_it_by_mention(sim: Simulation) -> None:
    await tables(sim, "none", "none", hours=3)
    alice = sim.people["alice"]
    sim.close_dms(alice)
    cursor = sim.cursor
    await until(sim, await due(sim, alice) + 1)
    assert calls(sim, alice, cursor)[1] == 1
    (said,) = [shown.body["content"] for shown in sim.public(cursor) if shown.body.get("content")]
    assert said.startswith(f"<@{alice.id}>, tables here waiting for you: 2")
    await sim.restart()
    await sim.env.advance_time(6 * HOUR)
    assert calls(sim, alice, cursor)[1] == 1


async def test_without_the_digest_what_was_held_back_is_said_at_once(sim: Simulation) -> None:
    await tables(sim, "none", hours=24)
    alice = sim.people["alice"]
    cursor = sim.cursor
    await sim.forge(alice, "1/0/setting//digest", values=["0"])
    assert calls(sim, alice, cursor) == (1, 0)
    await sim.env.advance_time(20 * HOUR)
    assert calls(sim, alice, cursor) == (1, 0)


async def test_a_digest_that_cannot_be_sent_is_sent_later_once(
    sim: Simulation, caplog: pytest.LogCaptureFixture
) -> None:
    """And the log tells it once, until Discord takes it."""
    await tables(sim, "none", "none", hours=1)
    alice = sim.people["alice"]
    cursor = sim.cursor
    path = f"/channels/{alice.user.dm_channel.id}/messages"
    sim.env.inject_error("POST", path, status=503, times=3)
    await until(sim, await due(sim, alice) + 1)
    for _ in range(2):
        await sim.app.digests.tick()
    assert await due(sim, alice) <= sim.env.now().timestamp(), "it is due still"
    said = [record for record in caplog.records if "a digest is sent later" in record.getMessage()]
    assert [record.levelname for record in said] == ["WARNING", "INFO", "INFO"]
    await sim.restart()
    await sim.env.advance_time(HOUR // 2)
    assert len([m for m in sim.dms(alice) if "Tables waiting" in "\n".join(words(raw(m)))]) == 1
    sent = [shown.body["nonce"] for shown in sim.shown(cursor) if "Tables waiting" in shown.text]
    assert len(set(sent)) == 1, "each try has the same nonce"
    assert await due(sim, alice) > sim.env.now().timestamp()


@pytest.mark.parametrize("locale", ["en-US", "de"])
async def test_a_digest_of_many_tables_fits_into_one_message(sim: Simulation, locale: str) -> None:
    """Of 2,000 characters, as a mention has; what is left out is said."""
    app, digests = sim.bot.app, sim.app.digests
    met = [await app.people.meet(1000 + seat, "W" * 32, locale) for seat in range(3)]
    where = {"guild": (1 << 62) + 1, "channel": (1 << 62) + 2, "terms": Terms(locale=locale)}
    for _ in range(14):
        match = await app.lobby.open("siege_of_sunfall", user=met[0].user, name=met[0].name, **where)
        for person in met[1:]:
            match = await app.lobby.join(match.id, person.user, person.name)
        match = await app.lobby.choose_option(match.id, met[0].user, "clock", "week")
        await app.lobby.start(match.id, met[0].user)
    waiting = await digests.waiting(met[0], lambda chair, person: True)
    assert len(waiting) == 14
    labels = Labels((), texts(language(locale), "common"))
    text = digests.text(labels.say("digest.mention", who="<@1234567890123456789>", count=14), waiting, labels, locale)
    assert len(text) <= 2000
    assert text.endswith(labels.say("digest.more", count=14 - MOST_LISTED))
    assert text.count("](https://") == MOST_LISTED
