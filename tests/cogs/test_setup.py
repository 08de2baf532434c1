"""`/setup`: what the managers of a server choose, and what follows at its tables."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import discord
import pytest

import cogs.setup
from cogs.messages.content import Content, EntitySelect, Select
from cogs.setup import RARE
from cogs.transport.interactions import Interactions
from data.content.texts import languages, texts
from rendering.core.labels import Labels
from tests.cogs.managing import choose, manager, setup
from tests.support.phone import Phone
from tests.support.simulation import Simulation, controls, finish, raw, simulate
from tests.support.table import Table

pytestmark = pytest.mark.usefixtures("plain")

ACTION_ROW = 1
MOST_LABEL, PAGE = 34, 760
"""Characters of a closed select in a line of a phone, and the most pixels of a page."""


# /setup


async def test_setup_shows_each_change_at_once(sim: Simulation) -> None:
    mona = manager(sim)
    elsewhere = sim.guild.create_text_channel("elsewhere")
    role = sim.guild.create_role("players")
    said = sim.said(await setup(sim, mona))
    for line in ("every channel", "every game", "each table chooses", "everyone", "every time limit"):
        assert line in said
    assert "any number" in sim.said(await setup(sim, mona, rare=True))
    for setting, values, words in (
        ("channels", [elsewhere], f"**Channels for tables:** <#{elsewhere.id}>"),
        ("games", ["sea_change"], "**Games:** Sea Change"),
        ("threads", ["never"], "**Threads:** never"),
        ("most_open", ["5"], "**Most open tables in this server:** 5"),
        ("most_each", ["2"], "**Most open tables per player:** 2"),
        ("role", [role], f"**Who can open tables:** <@&{role.id}>"),
        ("clocks", ["week", "none"], "**Time limits to choose from:** none, about 10 days to move"),
        ("first_clock", ["week"], "**Time limit of a new table:** about 10 days to move"),
    ):
        shown = await setup(sim, mona, rare=setting in RARE)
        result = await mona.select(shown.response, values, custom_id=f"1/0/setup//{setting}")
        said = sim.said(result)
        assert words in said and "✓ Saved." in said
        assert len(sim.answers(result)) == 1 and sim.answers(result)[0].method == "PATCH", "the same message, again"
    await sim.restart()
    said = sim.said(await setup(sim, mona))
    assert f"<#{elsewhere.id}>" in said and f"<@&{role.id}>" in said
    assert "in this server:** 5" in sim.said(await setup(sim, mona, rare=True))
    assert "choose from:** none, about 10 days to move" in said and "new table:** about 10 days to move" in said
    shown = await setup(sim, mona)
    for label, words in (
        ("All channels", "every channel"),
        ("All games", "every game"),
        ("All time limits", "every time limit"),
    ):
        assert words in sim.said(await mona.click(shown.response, label=label))
    assert "everyone" in sim.said(await mona.click(shown.response, label="Everyone can open tables"))
    assert not [shown for shown in sim.public() if "Server settings" in shown.text]


async def test_a_page_takes_one_screen_of_a_phone(
    sim: Simulation, phone: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And what a closed select shows takes one line, in each language."""
    mona, found = manager(sim), list[Content]()
    monkeypatch.setattr(cogs.setup, "Content", lambda *how: found.append(Content(*how)) or found[-1])
    for locale in languages():
        monkeypatch.setattr(Interactions, "labels", lambda *_, locale=locale: Labels((), texts(locale)))
        result = await mona.slash(sim.channel, "setup")
        await mona.click(result.response, label=texts(locale)["lobby.more"])
    assert len(found) == 2 * len(languages())
    for content in found:
        for select in content.rows:
            if isinstance(select, Select | EntitySelect):
                entries = select.entries if isinstance(select, Select) else ()
                always = any(entry.chosen for entry in entries)  # then the hint is never shown
                shown = [*(entry.label for entry in entries), *([] if always else [select.hint])]
                assert max(map(len, shown)) <= MOST_LABEL, shown
    sim.app.messages.drawing.close()
    tall = await phone.heights([replace(content, user=None) for content in found])
    print(tall)
    assert max(tall) <= PAGE, tall


async def test_setup_is_for_managers_at_every_press(sim: Simulation) -> None:
    mona = manager(sim)
    (alice,) = sim.join_server("alice")
    assert "setup" not in alice.available_commands(sim.channel)
    await sim.slash(alice, "play", game="sea_change")
    needed = "You need the permission *Manage Server*"
    before = sim.board().id
    assert needed in await sim.forge(alice, "1/0/setup//threads", values=["never"])
    assert needed in await sim.forge(alice, "1/0/setup/none/channels")
    assert "only works in a server" in await sim.forge(
        alice, "1/0/setup//threads", values=["never"], channel=alice.user.dm_channel.id, message=sim.dms(alice)[0].id
    )
    # A manager's own forged press at a public message leaves that message alone.
    assert "never" in await sim.forge(mona, "1/0/setup//threads", values=["never"])
    assert sim.board().id == before and "1/1/join//" in controls(raw(sim.board()))


NOT_OFFERED: list[tuple[str, list[str]]] = [
    ("channels", ["games"]),
    ("channels", [str(number) for number in range(1, 27)]),
    ("role", ["1", "2"]),
    ("role", ["-1"]),
    ("games", ["chess"]),
    ("threads", ["sometimes"]),
    ("threads", []),
    ("most_open", ["0"]),
    ("most_each", ["1", "2"]),
    ("most_each", ["0"]),
    ("most_open", ["default"]),
    ("guild", ["1"]),
    ("clocks", ["a second a turn"]),
    ("first_clock", ["a second a turn"]),
    ("first_clock", ["day_1", "week"]),
    ("first_clock", []),
]


async def test_choices_that_are_not_offered_change_nothing(sim: Simulation) -> None:
    mona = manager(sim)
    await sim.slash(mona, "play", game="sea_change")
    before = await sim.service.policy.of(sim.guild.id)
    for setting, values in NOT_OFFERED:
        assert "no longer works" in await sim.forge(mona, f"1/0/setup//{setting}", values=values), (setting, values)
    assert await sim.service.policy.of(sim.guild.id) == before


async def test_tables_only_in_the_channels_allowed(sim: Simulation) -> None:
    mona = manager(sim)
    (alice,) = await sim.lobby("alice")
    allowed = sim.guild.create_text_channel("tables")
    await choose(sim, mona, "channels", allowed)
    refusal = f"Tables cannot be opened in this channel. Try <#{allowed.id}>."
    assert refusal in await sim.slash(alice, "play", game="sea_change")
    assert refusal in await sim.slash(mona, "play", game="sea_change")
    assert refusal in await sim.slash(mona, "join", table=1), "a lobby from before"
    assert "is open, and you are in" in await sim.slash(alice, "play", allowed, game="sea_change")


async def test_only_the_games_allowed(sim: Simulation) -> None:
    mona = manager(sim)
    (alice,) = await sim.lobby("alice")
    await choose(sim, mona, "games", "full_sun", "photosynthesis")
    refusal = "Sea Change is not available in this server."
    assert refusal in await sim.slash(alice, "play", game="sea_change")
    assert refusal in sim.said(await sim.press(mona, sim.board(), "Join"))
    assert "is open" in await sim.slash(alice, "play", game="full_sun")
    every = await choose(sim, mona, "games", *sorted(sim.service.games))
    assert "every game" in every, "games that come later too"


async def test_tables_are_opened_by_a_role(sim: Simulation) -> None:
    mona = manager(sim)
    role = sim.guild.create_role("players")
    (alice,) = sim.join_server("alice", roles=[role])
    (bob,) = sim.join_server("bob")
    await choose(sim, mona, "role", role)
    said = await sim.slash(bob, "play", game="sea_change")
    assert f"you need the role <@&{role.id}> to open tables. A server manager can change that" in said
    assert "is open" in await sim.slash(alice, "play", game="sea_change")
    assert "You have joined" in await sim.slash(bob, "join"), "a person who may not open a table may sit down"
    assert "is open" in await sim.slash(mona, "play", game="sea_change")


async def test_limits_of_a_server_and_of_a_player(sim: Simulation) -> None:
    mona = manager(sim)
    alice, bob = sim.join_server("alice", "bob")
    await choose(sim, mona, "most_each", "1")
    await choose(sim, mona, "most_open", "2")
    await sim.slash(alice, "play", game="sea_change")
    said = await sim.slash(alice, "play", game="sea_change")
    assert "the limit of open tables per player in this server: 1" in said
    await sim.slash(bob, "play", game="sea_change")
    assert "per player in this server: 1" in await sim.slash(bob, "join", table=1)
    assert "You are already at this table." in await sim.slash(bob, "join", table=2)
    assert "its limit of open tables: 2" in await sim.slash(mona, "play", game="sea_change")
    assert "is cancelled" in await sim.cancel(bob, 2)
    assert "You have joined" in await sim.slash(bob, "join", table=1)
    assert "is open" in await sim.slash(mona, "play", game="sea_change")


async def test_the_bots_own_limit_of_a_player_until_a_server_chooses_one(tmp_path: Path) -> None:
    sim = await simulate(tmp_path, tables_each=2)
    try:
        mona = manager(sim)
        (alice,) = sim.join_server("alice")
        line, full = "**Most open tables per player:** ", "the limit of open tables per player in this server: "

        async def opened() -> str:
            return await sim.slash(alice, "play", game="sea_change")

        assert f"{line}2 (default)" in sim.said(await setup(sim, mona, rare=True))
        assert "is open" in await opened()
        assert "is open" in await opened()
        refused = await opened()
        assert f"{full}2" in refused and "End or leave one of them first." in refused
        assert f"{line}3\n" in await choose(sim, mona, "most_each", "3")
        assert "is open" in await opened()
        assert f"{full}3" in await opened()
        assert f"{line}any number\n" in await choose(sim, mona, "most_each", "any")
        assert "is open" in await opened()
        await sim.restart()
        assert f"{line}any number\n" in sim.said(await setup(sim, mona, rare=True)), (
            "no limit is a choice too, and is kept"
        )
        assert "is open" in await opened()
        assert f"{line}2 (default)" in await choose(sim, mona, "most_each", "default")
        assert f"{full}2" in await opened()
        assert "is cancelled" in await sim.cancel(alice, 1), "who is over the limit keeps their tables"
        await sim.restart()
        assert f"{full}2" in await opened()
        for number in (2, 3, 4):
            await sim.cancel(alice, number)
        assert "is open" in await opened()
    finally:
        await finish(sim)


async def test_only_the_clocks_allowed_and_the_first_of_a_new_table(sim: Simulation) -> None:
    mona = manager(sim)
    alice, bob = sim.join_server("alice", "bob")
    await sim.slash(alice, "play", game="sea_change")
    await sim.press(alice, sim.board(), "1/1/option//clock", "live_5")
    await choose(sim, mona, "clocks", "day_1", "week")
    assert "new table:** about 2 days to move" in sim.said(await setup(sim, mona)), (
        "the first where none is offered no more"
    )
    assert "no longer works" in await sim.forge(mona, "1/0/setup//first_clock", values=["live_5"]), (
        "not part of the tie"
    )
    await choose(sim, mona, "first_clock", "week")
    # A lobby from before keeps its own until another is chosen.
    await sim.slash(bob, "join", table=1)
    assert (await sim.match(1)).clock == "live_5"
    assert "about 10 minutes to move" in "\n".join(controls(raw((await sim.more(alice)).message)))
    refusal = "That time limit is not available in this server."
    assert refusal in await sim.forge(alice, "1/1/option//clock", values=["live_2"])
    assert refusal in await sim.slash(alice, "clock", terms="none")
    await sim.press(alice, sim.board(), "1/1/option//clock", "day_1")
    assert "about 10 minutes to move" not in "\n".join(controls(raw((await sim.more(alice)).message)))
    # A new one begins with the first, and plays with what is offered.
    await sim.slash(alice, "play", game="sea_change")
    assert (await sim.match(2)).clock == "week"
    offered = {text for text in controls(raw((await sim.more(alice)).message)) if text.endswith(" to move")}
    assert offered == {"about 2 days to move", "about 10 days to move"}
    await sim.press(alice, sim.board(), "Add computer")
    await sim.press(alice, sim.board(), "Start")
    assert (await sim.match(2)).clocks


async def test_a_running_match_keeps_a_clock_that_is_no_longer_offered(sim: Simulation, tide: Table) -> None:
    alice, bob = tide.people
    mona = manager(sim)
    for person in (alice, bob):
        await sim.slash(person, "clock", table=1, terms="live_15")
    assert (await sim.match(1)).clock == "live_15"
    await choose(sim, mona, "clocks", "day_2")
    assert "day_2" not in (await sim.match(1)).clock and (await sim.match(1)).clocks
    assert "That time limit is not available in this server." in await sim.slash(alice, "clock", table=1, terms="week")
    assert "1 of 2 votes" in await sim.slash(alice, "clock", table=1, terms="none"), "off it may always go"
    for person in (alice, bob):
        await sim.slash(person, "clock", table=1, terms="day_2")
    assert (await sim.match(1)).clock == "day_2"
    await choose(sim, mona, "clocks", "hours_12")
    for person in (alice, bob):
        await sim.forge(person, "1/1/vote_sure//end")
    await sim.press(alice, sim.board(), "Play again")
    assert ((await sim.match(1)).clock, (await sim.match(2)).clock) == ("day_2", "hours_12")


@pytest.mark.parametrize("threads", ["never", "always"])
async def test_threads_are_the_servers_to_settle(sim: Simulation, threads: str) -> None:
    mona = manager(sim)
    (alice,) = sim.join_server("alice")
    await choose(sim, mona, "threads", threads)
    table = await Table.open(sim, "sea_change", [alice], seed=threads, computers=1)
    assert "1/1/option//place" not in controls(raw((await sim.more(alice)).message))
    wished = "thread" if threads == "never" else "channel"
    said = await sim.forge(alice, "1/1/option//place", values=[wished])
    assert "A server manager can change that" in said and "/setup" in said
    await sim.press(alice, sim.board(), "Start")
    await sim.env.settle()
    assert bool(sim.channel.threads) is (threads == "always")
    assert (await sim.match(table.number)).own_thread is (threads == "always")


async def test_where_each_table_gets_a_thread_the_permission_for_it_is_needed(sim: Simulation) -> None:
    mona = manager(sim)
    denied = discord.PermissionOverwrite(create_public_threads=False)
    flat = sim.guild.create_text_channel("flat", overwrites={sim.guild.me: denied})
    assert "is open" in await sim.slash(mona, "play", flat, game="sea_change")
    await choose(sim, mona, "threads", "always")
    assert "Missing: Create Public Threads." in await sim.slash(mona, "play", flat, game="sea_change")


async def test_a_channel_and_a_role_that_were_deleted_are_not_put_into_selects(sim: Simulation) -> None:
    mona = manager(sim)
    gone, role = sim.guild.create_text_channel("gone"), sim.guild.create_role("gone")
    await choose(sim, mona, "channels", gone)
    await choose(sim, mona, "role", role)
    await sim.bot.get_channel(gone.id).delete()
    await sim.bot.get_guild(sim.guild.id).get_role(role.id).delete()
    await sim.env.settle()
    shown = await setup(sim, mona)
    assert f"<#{gone.id}>" in sim.said(shown), "what is set is told"
    (body,) = [answer.body for answer in sim.answers(shown)]
    rows = str([part for part in body["components"][0]["components"] if part["type"] == ACTION_ROW])
    assert str(gone.id) not in rows and str(role.id) not in rows
