"""What owners of a server set, what they are told, and what becomes of matches while the bot is not in the server."""

from __future__ import annotations

import asyncio
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import discord
import pytest
from simcord.actors import MemberActor
from simcord.backend import serializers
from simcord.results import InteractionResult

import cogs.guilds
import tests.support.simulation as support
from bot import ROOT, Settings
from cogs.guilds import channel_to_greet
from cogs.match.automatic_moves import AutomaticMoves
from cogs.runtime.process import version
from cogs.transport.publisher import PublishTiming
from data.records.match import Match, Status
from data.records.post import Sending
from data.store.database import Health, NotStored
from tests.support.hung import HUNG
from tests.support.simulation import Simulation, controls, finish, offers, raw, simulate
from tests.support.table import Table

pytestmark = pytest.mark.usefixtures("plain")
DAYS = 86_400
ACTION_ROW = 1


def manager(sim: Simulation, name: str = "mona") -> MemberActor:
    role = sim.guild.create_role("keeper", permissions=discord.Permissions(manage_guild=True))
    return sim.join_server(name, roles=[role])[0]


async def setup(sim: Simulation, person: MemberActor) -> InteractionResult:
    result = await person.slash(sim.channel, "setup")
    assert result.response.ephemeral
    return result


async def choose(sim: Simulation, person: MemberActor, setting: str, *values: Any) -> str:
    """One choice in a fresh `/setup`, and what is shown then."""
    shown = await setup(sim, person)
    result = await person.select(shown.response, list(values), custom_id=f"1/0/setup//{setting}")
    return sim.said(result)


# /setup


async def test_setup_shows_each_change_at_once(sim: Simulation) -> None:
    mona = manager(sim)
    elsewhere = sim.guild.create_text_channel("elsewhere")
    role = sim.guild.create_role("players")
    said = sim.said(await setup(sim, mona))
    for line in ("every channel", "every game", "each table chooses", "any number", "everyone", "every time limit"):
        assert line in said
    shown = await setup(sim, mona)
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
        result = await mona.select(shown.response, values, custom_id=f"1/0/setup//{setting}")
        said = sim.said(result)
        assert words in said and "✓ Saved." in said
        assert len(sim.answers(result)) == 1 and sim.answers(result)[0].method == "PATCH", "the same message, again"
    await sim.restart()
    said = sim.said(await setup(sim, mona))
    assert f"<#{elsewhere.id}>" in said and f"<@&{role.id}>" in said and "in this server:** 5" in said
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


async def test_the_bots_own_limit_of_a_player_until_a_server_chooses_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def settings(**how: Any) -> Settings:
        return Settings(**{**how, "tables_each": 2})

    monkeypatch.setattr(support, "Settings", settings)
    sim = await simulate(tmp_path)
    try:
        mona = manager(sim)
        (alice,) = sim.join_server("alice")
        line, full = "**Most open tables per player:** ", "the limit of open tables per player in this server: "

        async def opened() -> str:
            return await sim.slash(alice, "play", game="sea_change")

        assert f"{line}2, the bot's default" in sim.said(await setup(sim, mona))
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
        assert f"{line}any number\n" in sim.said(await setup(sim, mona)), "no limit is a choice too, and is kept"
        assert "is open" in await opened()
        assert f"{line}2, the bot's default" in await choose(sim, mona, "most_each", "default")
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
    offered = {text for text in controls(raw((await sim.more(alice)).message)) if text.startswith("Time limit: ")}
    assert offered == {"Time limit: about 2 days to move", "Time limit: about 10 days to move"}
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


# /doctor


async def test_doctor_tells_everybody_of_their_own_direct_messages(sim: Simulation) -> None:
    alice, bob = sim.join_server("alice", "bob")
    said = await sim.slash(alice, "doctor")
    assert "✓ **Direct messages** reach you" in said and "Manage Server" in said
    assert "Test message: direct messages from me reach you" in "\n".join(sim.visible(alice))
    await sim.greeted()
    sim.close_dms(bob)
    said = await sim.slash(bob, "doctor")
    assert "✗ **Direct messages** do not reach you" in said and "Privacy Settings" in said
    assert "Versions" not in said and "Database" not in said and "Attach Files" not in said
    assert not (await sim.service.people.get(bob.id)).dm_works


async def test_direct_messages_that_work_again_are_found(sim: Simulation) -> None:
    (alice,) = await sim.lobby("alice")
    await sim.service.people.change(alice.id, dm_works=False)
    await sim.slash(alice, "doctor")
    assert (await sim.service.people.get(alice.id)).dm_works


def own_bot(sim: Simulation, *people: MemberActor) -> None:
    """Let these people be the team that owns the application."""
    team = SimpleNamespace(members=[SimpleNamespace(id=person.id) for person in people])
    vars(sim.bot)["_application"] = SimpleNamespace(team=team, owner=SimpleNamespace(id=0))


async def test_doctor_tells_of_the_machine_to_the_owner_of_the_bot_alone(sim: Simulation) -> None:
    mona = manager(sim)
    (olga,) = sim.join_server("olga")
    said = await sim.slash(mona, "doctor")
    assert "In this channel" in said
    for person, owners, sees in (
        (mona, [], False),
        (mona, [mona], True),
        (olga, [mona, olga], True),
        (olga, [mona], False),
    ):
        own_bot(sim, *owners)
        said = await sim.slash(person, "doctor")
        assert ("Free disk space" in said and "Python" in said and "The database" in said) == sees
        assert ("SQLite" in said) == sees
        assert ("In this channel" in said) == (person is mona)
    vars(sim.bot)["_application"] = SimpleNamespace(team=None, owner=SimpleNamespace(id=olga.id))
    assert "Free disk space" in await sim.slash(olga, "doctor")


async def test_doctor_tells_managers_how_the_bot_is(sim: Simulation) -> None:
    mona = manager(sim)
    own_bot(sim, mona)
    denied = discord.PermissionOverwrite(attach_files=False, create_public_threads=False)
    place = sim.guild.create_text_channel("closed", overwrites={sim.guild.me: denied})
    await sim.slash(mona, "play", game="sea_change")
    said = await sim.slash(mona, "doctor", place)
    for words in (
        "✗ **Attach Files** is missing: I cannot show any pictures",
        "✗ **Create Public Threads** is missing",
        "✓ Send Messages\n",
        "✓ Tables can be opened here.",
        "Open tables in this server: 1.",
        "✓ The database is fine and can be written",
        "✓ Free disk space",
        "✓ The clock is within",
        f"Sundial {version(ROOT)}, discord.py {discord.__version__}",
    ):
        assert words in said, words
    await choose(sim, mona, "channels", sim.channel)
    assert "✗ Tables cannot be opened here" in await sim.slash(mona, "doctor", place)
    assert "sundial.db" not in said and "/" not in said.replace("/setup", ""), "no paths"


async def test_doctor_says_what_ails_and_what_to_do(sim: Simulation, monkeypatch: pytest.MonkeyPatch) -> None:
    mona = manager(sim)
    own_bot(sim, mona)
    owners = sim.bot.get_cog("Doctor")

    async def ill() -> Health:
        return Health(sound=False, free=1 << 20, engine="SQLite 3.0")

    monkeypatch.setattr(owners, "_health", ill)
    sim.jumped = -90
    said = await sim.slash(mona, "doctor")
    assert "**The database is damaged.** Stop me" in said
    assert "**The disk is nearly full**: 1 MB left" in said
    assert "**The clock** is 9" in said and "NTP" in said


async def test_the_database_is_looked_through_once_in_ten_minutes(
    sim: Simulation, monkeypatch: pytest.MonkeyPatch
) -> None:
    """That reads all of it."""
    mona, lisa = manager(sim), manager(sim, "lisa")
    own_bot(sim, mona, lisa)
    looked, owners = 0, sim.bot.get_cog("Doctor")

    async def health() -> Health:
        nonlocal looked
        looked += 1
        return Health(sound=looked == 1, free=None, engine="SQLite 3.0")

    monkeypatch.setattr(owners, "_health", health)
    for person in (mona, lisa, mona):
        assert "✓ The database is fine" in await sim.slash(person, "doctor")
    assert looked == 1
    await sim.env.advance_time(600)
    assert "**The database is damaged.**" in await sim.slash(mona, "doctor")
    assert looked == 2
    sim.jumped = -3600
    await sim.slash(mona, "doctor")
    assert looked == 3, "a clock that was put back keeps nothing for longer"


# Removed and invited again.


class Absence:
    """Takes the bot out of its server and brings it back, everything in the server as it was."""

    def __init__(self, sim: Simulation) -> None:
        self.sim = sim
        self.backend = sim.env.backend
        self.guild = self.backend.guilds[sim.guild.id]
        self.channels: dict[int, Any] = {}

    def remove(self, *, told: bool = True) -> None:
        self.channels = {
            number: channel for number, channel in self.backend.channels.items() if channel.guild_id == self.guild.id
        }
        del self.backend.guilds[self.guild.id]
        for number in self.channels:
            del self.backend.channels[number]
        if told:
            self.backend.emit("GUILD_DELETE", {"id": str(self.guild.id)})

    def invite(self, *, told: bool = True) -> None:
        self.backend.guilds[self.guild.id] = self.guild
        self.backend.channels.update(self.channels)
        if told:
            payload = dict(serializers.guild_create_payload(self.backend, self.guild))
            payload.pop("unavailable", None)
            self.backend.emit("GUILD_CREATE", payload)


async def press_by_dm(sim: Simulation, person: MemberActor) -> str:
    """A move from the hand that stands in somebody's direct messages."""
    hand = sim.hand(person)
    offer = offers(hand)[0]
    return sim.said(await sim.press(person, hand, offer.custom_id, offer.value))


async def test_a_removed_bot_pauses_its_matches(sim: Simulation, tide: Table) -> None:
    alice, bob = tide.people
    await sim.slash(alice, "play", game="full_sun")
    absence, cursor = Absence(sim), sim.cursor
    absence.remove()
    await sim.env.settle()
    match, lobby = await sim.match(1), await sim.match(2)
    assert match.paused and lobby.paused
    await sim.env.advance_time(3 * DAYS)
    assert not sim.shown(cursor), "nothing is sent to anybody"
    mover = next(person for person in tide.people if offers(sim.hand(person)))
    said = await press_by_dm(sim, mover)
    assert "This match is paused because I was removed from its server." in said
    assert "Your hand:" in said and not offers(sim.hand(mover)), "the hand may be looked at"
    assert (await sim.match(1)).moves == match.moves
    for command in ("hand", "games"):
        assert "**Paused:**" in sim.said(await bob.user.slash(command))
    for command in ("board", "log", "rules"):
        more = {"game": "sea_change"} if command == "rules" else {}
        assert "refused" not in sim.said(await bob.user.slash(command, **more))
    assert "This match is paused" in sim.said(await bob.user.slash("move", move="play B9"))
    assert await bob.user.autocomplete("move", "move", "") == []
    assert "This match is paused" in sim.said(await alice.user.slash("leave", table=2))
    for custom_id in ("1/1/give_seat//", "1/1/vote_sure//end", "1/2/join//", "1/2/leave//", "1/2/start//"):
        where = {"channel": alice.user.dm_channel.id, "message": sim.dms(alice)[-1].id}
        assert "paused" in await sim.forge(alice, custom_id, **where), custom_id


async def test_invited_again_it_goes_on_where_it_was(sim: Simulation, tide: Table) -> None:
    await tide.play(lambda match, state: match.moves == 3)
    before, board = await sim.match(), sim.board().id
    mover = next(person for person in tide.people if offers(sim.hand(person)))
    hand = sim.hand(mover).id
    absence = Absence(sim)
    absence.remove()
    await sim.env.settle()
    await sim.env.advance_time(29 * DAYS)
    cursor = sim.cursor
    absence.invite()
    await sim.env.settle()
    match = await sim.match()
    assert (match.paused_at, match.state, match.moves) == (None, before.state, before.moves)
    assert sim.board().id != board, "the table is shown again"
    assert board not in [message.id for message in sim.channel.history()]
    assert sim.pings(cursor) == [mover.id], "who is asked is asked once more"
    assert sim.hand(mover).id != hand
    tide.known_turns = {mover.id: sim.service.state(match).turn(next(iter(sim.service.state(match).to_move())))}
    await tide.play(lambda match, state: match.moves == 9)


async def test_invited_again_it_goes_on_though_the_bot_ends_while_it_is_asked_back(
    sim: Simulation, tide: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The player asked is told so then, and no clock has run before."""
    await tide.play(lambda match, state: match.moves == 3)
    mover = next(person for person in tide.people if offers(sim.hand(person)))
    absence = Absence(sim)
    absence.remove()
    await sim.env.settle()
    deleting = asyncio.Event()

    async def slowly(*which: Any, **how: Any) -> None:
        deleting.set()
        await sim.env.external_wait(asyncio.Event().wait(), reason="Discord answers nothing")

    cursor = sim.cursor
    with monkeypatch.context() as patch:
        patch.setattr(sim.bot.app.publisher.shown.handles, "delete", slowly)
        absence.invite()
        await asyncio.wait_for(deleting.wait(), HUNG)
        assert (await sim.match()).paused
        await sim.bot.close()
    await sim.start_bot()
    await sim.env.settle()
    assert not (await sim.match()).paused
    assert sim.pings(cursor) == [mover.id]


async def test_invited_again_it_is_shown_though_nothing_more_can_be_stored(
    sim: Simulation, tide: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is behind when it goes on is shown by the player who looks next, not only after a restart."""
    absence = Absence(sim)
    absence.remove()
    await sim.env.settle()
    asked: list[int] = []
    go_on = cogs.guilds.go_on

    async def then_fails(*which: Any) -> Match:
        await go_on(*which)
        raise NotStored

    with monkeypatch.context() as patch:
        patch.setattr(cogs.guilds, "go_on", then_fails)
        patch.setattr(sim.bot.app.publisher, "changed", asked.append)
        absence.invite()
        await sim.env.settle()
    assert set(asked) == {1}
    sim.bot.app.publisher.changed(1)
    await sim.env.settle()


async def test_one_that_cannot_go_on_keeps_no_other_from_it(
    sim: Simulation, tide: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    await sim.slash(tide.people[0], "play", game="full_sun")
    absence = Absence(sim)
    absence.remove()
    await sim.env.settle()
    save = sim.matches.save

    async def full(match: Match, *more: Any) -> Match:
        if match.id == 1:
            raise NotStored
        return await save(match, *more)

    with monkeypatch.context() as patch:
        patch.setattr(sim.matches, "save", full)
        absence.invite()
        await sim.env.settle()
    assert [(await sim.match(number)).paused for number in (1, 2)] == [True, False]
    await sim.env.advance_time(DAYS)
    await sim.env.settle()
    assert not (await sim.match(1)).paused, "found by the daily look round"


async def test_after_thirty_days_it_ends_for_that_reason(sim: Simulation, tide: Table) -> None:
    alice, bob = tide.people
    await sim.slash(alice, "play", game="full_sun")
    absence = Absence(sim)
    absence.remove()
    await sim.env.settle()
    await sim.env.advance_time(28 * DAYS)
    assert (await sim.match(1)).open
    await sim.env.advance_time(3 * DAYS)
    await sim.env.settle()
    match, lobby = await sim.match(1), await sim.match(2)
    assert (match.status, lobby.status) == (Status.STOPPED, Status.CANCELLED)
    reason = "because I was not in its server for 30 days"
    where = {"channel": bob.user.dm_channel.id, "message": sim.dms(bob)[-1].id}
    assert reason in await sim.forge(bob, "1/1/vote_sure//end", **where)
    assert "I was not in this server for 30 days" in "\n".join(sim.visible(bob)), "the hand says so too"
    absence.invite()
    await sim.env.settle()
    public = "\n".join(message for message in sim.visible(alice))
    assert "This match ended early because I was not in this server for 30 days." in public
    assert "Closed before it started: I was not in this server for 30 days." in public
    assert match.secret in await sim.forge(alice, "1/1/fair//"), "the seed is open, as of every match that is over"


async def test_a_removal_while_the_bot_was_down_is_found_at_the_start(sim: Simulation, tide: Table) -> None:
    absence = Absence(sim)
    await sim.bot.close()
    absence.remove(told=False)
    await sim.start_bot()
    await sim.env.settle()
    assert (await sim.match()).paused
    await sim.bot.close()
    absence.invite(told=False)
    await sim.start_bot()
    await sim.env.settle()
    assert not (await sim.match()).paused
    await tide.play(lambda match, state: match.moves >= 2)


async def test_nothing_is_sent_to_a_server_that_removed_the_bot_while_it_was_down(sim: Simulation) -> None:
    """Though a move was still to be shown; invited again, the table stands in its own thread as before."""
    people = sim.join_server("alice", "bob")
    table = await Table.begin(sim, "sea_change", people, seed="removed", options={"place": "thread"})
    thread = table.channel
    sim.env.inject_error("*", "/channels/*", status=503, times=None)
    sim.set_timing(PublishTiming(edits=0, computer=0, retry=3600, longest_retry=3600))
    match, state = await table.now()
    await table.decide(sim.by_id(match.chairs[min(state.to_move())].user))
    assert await sim.matches.posts.behind() == [1]
    await sim.bot.close()
    sim.env.backend.faults.clear()
    absence, cursor = Absence(sim), sim.cursor
    absence.remove(told=False)
    await sim.start_bot()
    await sim.env.settle()
    assert (await sim.match()).paused and not sim.shown(cursor)
    absence.invite()
    await sim.env.settle()
    match = await sim.match()
    assert (match.place, match.own_thread, match.moves) == (thread.id, True, 1)
    assert "plays" in "\n".join(text for text in sim.visible(people[0]))
    assert await sim.matches.posts.behind() == []


async def test_a_server_that_is_unavailable_changes_nothing(sim: Simulation, tide: Table) -> None:
    version, cursor = (await sim.match()).version, sim.cursor
    sim.env.backend.emit("GUILD_DELETE", {"id": str(sim.guild.id), "unavailable": True})
    await sim.env.settle()
    assert sim.bot.get_guild(sim.guild.id).unavailable
    await sim.env.advance_time(DAYS - 3600)  # not yet a reminder
    match = await sim.match()
    assert (match.version, match.paused_at) == (version, None)
    assert not sim.shown(cursor)


@pytest.mark.parametrize("status", [500, 503])
async def test_a_server_missing_from_the_list_is_not_gone_until_discord_says_so(
    sim: Simulation, tide: Table, status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    owners: Any = sim.bot.get_cog("Guilds")
    monkeypatch.setattr(sim.bot, "get_guild", lambda number: None)
    await owners.look_round()
    assert not (await sim.match()).paused, "Discord still knows the bot there"

    async def fails(*arguments: Any, **how: Any) -> None:
        raise discord.DiscordServerError(_Response(status), "")

    monkeypatch.setattr(sim.bot, "fetch_guild", fails)
    await owners.look_round()
    assert not (await sim.match()).paused, "an outage is no removal"


class _Response:
    def __init__(self, status: int) -> None:
        self.status, self.reason = status, ""


async def test_computers_do_not_move_in_a_pause(sim: Simulation) -> None:
    (alice,) = sim.join_server("alice")
    await Table.begin(sim, "sea_change", [alice], seed="alone", computers=2)
    absence = Absence(sim)
    absence.remove()
    await sim.env.settle()
    match = await sim.match()
    assert await AutomaticMoves(sim.service).play(match.id) is None
    await sim.restart()
    await sim.env.advance_time(DAYS)
    assert (await sim.match()).moves == match.moves


def greetings(sim: Simulation) -> list[discord.Message]:
    return [found for found in sim.channel.history() if "1/0/help//play" in controls(raw(found))]


def test_the_greeting_goes_where_the_bot_may_write() -> None:
    def channel(number: int, **allowed: bool) -> Any:
        return SimpleNamespace(id=number, permissions_for=lambda _: discord.Permissions(**allowed))

    closed, hidden = channel(1, view_channel=True), channel(2, send_messages=True)
    fit, other = (channel(number, view_channel=True, send_messages=True) for number in (3, 4))
    for system, places, found in ((fit, [other], 3), (closed, [hidden, other, fit], 4), (None, [closed], None)):
        guild: Any = SimpleNamespace(system_channel=system, text_channels=places, me=None)
        assert channel_to_greet(guild) == found


async def test_a_server_is_greeted_once(sim: Simulation) -> None:
    (alice,) = sim.join_server("alice")
    for _ in range(2):
        await sim.bot.get_cog("Guilds").on_guild_join(sim.bot.get_guild(sim.guild.id))
    (message,) = greetings(sim)
    asked = await sim.press(alice, message, "Play")
    assert "What do you want to play?" in sim.said(asked)
    await sim.restart()
    await sim.bot.get_cog("Guilds").on_guild_join(sim.bot.get_guild(sim.guild.id))
    assert len(greetings(sim)) == 1


@pytest.mark.parametrize("arrived", [True, False])
async def test_a_greeting_that_a_kill_broke_off_is_there_once(sim: Simulation, arrived: bool) -> None:
    if arrived:
        await sim.bot.get_cog("Guilds").on_guild_join(sim.bot.get_guild(sim.guild.id))
    begun = Sending(sim.channel.id, int(sim.now()))
    await sim.service.policy.change(sim.guild.id, greeting=begun, greeted=False)
    await sim.restart()
    await sim.env.settle()
    assert len(greetings(sim)) == 1
    server = await sim.service.policy.of(sim.guild.id)
    assert (server.greeting, server.greeted) == (None, True)


async def test_a_server_in_which_people_play_is_not_greeted(sim: Simulation) -> None:
    await sim.lobby("alice")
    await sim.bot.get_cog("Guilds").on_guild_join(sim.bot.get_guild(sim.guild.id))
    assert not greetings(sim)
