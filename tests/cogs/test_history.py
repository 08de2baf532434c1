"""`/history`, `/profile` and `/leaderboard` as people read them, and what they add to the end of a match."""

from __future__ import annotations

import re
from types import SimpleNamespace
from typing import Any, NamedTuple, cast

import discord
import pytest
from simcord.actors import MemberActor
from simcord.backend.models.channel import Overwrite
from simcord.builders import ChannelHandle
from simcord.enums import ChannelType, OverwriteType

from cogs.history import History
from data.content.texts import texts
from data.records.match import Status
from data.records.people import People
from data.records.privacy import Privacy
from data.store.erasure_log import ErasureLog
from tests.cogs.test_end import played, short, told
from tests.support.apicheck import components
from tests.support.past import DAY, START, Past
from tests.support.simulation import Simulation
from tests.support.threads import Threads

pytestmark = pytest.mark.usefixtures("plain")
OWN, OF, HERE = (texts("en")[f"history.{key}"] for key in ("nothing_own", "nothing_of", "nothing_here"))


def nothing(said: str) -> bool:
    """Whether an answer says that there is nothing to show."""
    return said.startswith((OWN, OF, HERE, "Full Sun has no leaderboard to show yet"))


def past_in(sim: Simulation, *people: MemberActor) -> Past:
    """The past of the simulated server, in which these people have their names."""
    past = Past(sim.database, sim.guild.id, sim.channel.id)
    past.names = {person.id: person.name for person in people}
    return past


class Pressable(NamedTuple):
    """A button of an answer."""

    label: str
    custom_id: str
    disabled: bool


async def ask(sim: Simulation, person: MemberActor, command: str, **options: Any) -> tuple[str, list[Pressable]]:
    result = await person.slash(sim.channel, command, **options)
    parts = [part for part in components(sim.answers(result)[-1].body) if "custom_id" in part]
    buttons = [Pressable(part["label"], part["custom_id"], bool(part.get("disabled"))) for part in parts]
    return sim.said(result).strip(), buttons


async def press(sim: Simulation, person: MemberActor, custom_id: str) -> str:
    """Press a button, at the message shown last. Return the answer."""
    shown = sim.channel.history() or [await person.send(sim.channel, "A message")]
    return (await sim.forge(person, custom_id, message=shown[-1].id)).strip()


def before(sim: Simulation) -> int:
    """An instant before the simulated day."""
    return int(sim.env.now().timestamp()) - DAY


async def hide(sim: Simulation, person: MemberActor) -> None:
    people: People = sim.app.people
    await people.meet(person.id, person.name)
    await people.change(person.id, shows_history=False)


async def test_a_finished_match_is_listed_with_its_end_and_a_running_one_is_not(sim: Simulation) -> None:
    table = await short(sim, "alice", "bob")
    alice = sim.people["alice"]
    for command in ("history", "profile"):
        assert (await ask(sim, alice, command))[0] == OWN
    await played(table)
    await sim.caught_up()
    match, state = await table.now()
    outcome = state.outcome()
    assert match.status is Status.OVER and outcome is not None
    ((channel, message),) = told(sim)
    said, _ = await ask(sim, alice, "history")
    winner = match.chairs[min(outcome.winners)].name
    link = f"https://discord.com/channels/{sim.guild.id}/{channel}/{message.id}"
    assert f"**[Sea Change · table 1]({link})** · <t:{match.ended_at}:D>" in said
    assert said.splitlines()[-1].startswith(rf"1\. **{winner}** {max(outcome.scores)} · 2. ")
    profile, buttons = await ask(sim, alice, "profile")
    assert (
        profile.startswith("alice: 1 match · ") and "Sea Change: 1 / 1." in profile
    ) or "Sea Change: 0 / 1." in profile
    assert "### alice\n**1 match** · " in profile and "2 players: 1 match" in profile
    assert "A move takes" in profile and ("**alice** 1 : 0 **bob**" in profile or "**alice** 0 : 1 **bob**" in profile)
    assert await press(sim, alice, buttons[0].custom_id) == said


async def test_a_list_is_filtered_and_turned(sim: Simulation) -> None:
    alice, bob, cara = people = sim.join_server("alice", "bob", "cara")
    past = past_in(sim, *people)
    for _ in range(10):
        await past.played(alice.id, bob.id)
    await past.played(bob.id, cara.id, game="sea_change", scores=(-4, -9))
    first, (older, newer, everyone) = await ask(sim, cara, "history", player=alice)
    assert first.startswith("### Matches of alice\n**[Full Sun · table 10](") and newer.disabled and not older.disabled
    await sim.restart()
    second = await press(sim, cara, older.custom_id)
    assert re.findall(r"table (\d+)", first + second) == [str(number) for number in range(10, 0, -1)]
    whole = await press(sim, cara, everyone.custom_id)
    assert whole.startswith("### All matches in this server\n**[Sea Change · table 11](")
    both, _ = await ask(sim, cara, "history", player=alice, **{"with": bob})
    assert both.startswith("### Matches of alice with bob\nAgainst each other: **alice** 10 : 0 **bob**\n")
    game, _ = await ask(sim, cara, "history", player=bob, game="sea_change")
    assert game.startswith("### Matches of bob · Sea Change\n")
    assert re.search(r"^1\\\. \*\*bob\*\* −4 \(\+\d+\) · 2\. \*\*cara\*\* −9 \([+−]\d+\)$", game, re.MULTILINE)
    assert (await ask(sim, bob, "history", **{"with": cara}))[0].count("table") == 1


async def test_a_match_that_one_has_left_says_so(sim: Simulation) -> None:
    alice, bob = people = sim.join_server("alice", "bob")
    await past_in(sim, *people).played(alice.id, None, ranks=(2, 1), gone=(1,), began={1: bob.id})
    for person in people:
        said, _ = await ask(sim, person, "history")
        places = r"1\\\. \*\*🤖\u2060Ada\*\* 28 · 2. \*\*alice\*\* 26 \(\+\d+\)"
        away = r"last in the rating for being away: \*\*bob\*\* \(−\d+\)"
        assert re.search(f"^{places} · {away}$", said, re.MULTILINE), said
    said, _ = await ask(sim, bob, "profile")
    assert "**1 match** · 0 won" in said


async def test_a_leaderboard_is_of_all_time_or_of_a_month(sim: Simulation) -> None:
    alice, bob, cara = people = sim.join_server("alice", "bob", "cara")
    past = past_in(sim, *people)
    await past.played(alice.id, bob.id)
    await past.played(bob.id, alice.id, ended_at=START + 40 * DAY)
    said, buttons = await ask(sim, bob, "leaderboard", game="full_sun")
    assert said.startswith("### Full Sun · all-time\n1. **") and buttons == []
    assert re.search(r"^\d\. \*\*bob\*\* \*\*[\d,]+\*\* · 2 matches, 1 won ←$", said, re.MULTILINE)
    said, _ = await ask(sim, cara, "leaderboard", game="full_sun", period="2026-09")
    lines = said.splitlines()
    assert lines[0] == "### Full Sun · September 2026"
    assert [line[:12] for line in lines[1:-1]] == ["1. **alice**", "2. **bob** *"]
    assert lines[-1].startswith("-# Points come from all rated matches here")
    assert (await ask(sim, cara, "leaderboard", game="full_sun", period="2025-01"))[0].startswith(
        "Full Sun has no leaderboard to show yet (January 2025): no rated match has ended in a channel that you can see"
    )
    assert (await ask(sim, cara, "leaderboard", game="sea_change"))[0].startswith("Sea Change has no leaderboard")
    for typed in ("2026-13", "no", "..."):
        assert "That is no month" in (await ask(sim, cara, "leaderboard", game="full_sun", period=typed))[0]
    for typed, month in (
        ("september", "September 2025"),
        ("sept 2025", "September 2025"),
        ("9/2025", "September 2025"),
        ("  Dec 2025", "December 2025"),
        ("13/2025", ""),
        ("December  2025", "December 2025"),
    ):
        said = (await ask(sim, cara, "leaderboard", game="full_sun", period=typed))[0]
        assert month in said if month else "That is no month" in said


async def test_a_long_leaderboard_has_pages_and_always_the_own_place(sim: Simulation) -> None:
    alice, *others = people = sim.join_server("alice", *(f"player {number}" for number in range(45)))
    past = past_in(sim, *people)
    for three in range(15):
        await past.played(*(other.id for other in others[3 * three : 3 * three + 3]), alice.id)
    said, (up, down) = await ask(sim, alice, "leaderboard", game="full_sun")
    assert said.splitlines()[-3] == "…" and said.splitlines()[-2].startswith("46. **alice**")
    assert up.disabled and not down.disabled
    second = await press(sim, alice, down.custom_id)
    assert len(second.splitlines()) == 24
    # Those who leave the server make room.
    first = said.splitlines()[1:21]
    for other in others:
        if any(f"**{other.name}**" in line for line in first[:5]):
            sim.guild.remove_member(other)
    await sim.env.advance_time(121)
    said, _ = await ask(sim, alice, "leaderboard", game="full_sun")
    assert len(said.splitlines()) == 24 and [line.split(" ", 1)[1] for line in said.splitlines()[1:16]] == [
        line.split(" ", 1)[1] for line in first[5:]
    ]
    assert said.splitlines()[1].startswith("1. ") and said.splitlines()[-2].startswith("41. **alice**")


async def profile_of(sim: Simulation, user: int, viewer: MemberActor) -> bool:
    """Whether `/profile` tells that viewer anything about a user, who need not be in the server."""
    history = sim.bot.get_cog("History")
    assert isinstance(history, History)
    here = SimpleNamespace(guild_id=sim.guild.id, client=sim.bot, user=viewer, guild=sim.bot.get_guild(sim.guild.id))
    return not await history.has_left(cast(Any, here), sim.guild.id, user)


async def test_an_empty_answer_says_why_and_what_to_do_next(sim: Simulation) -> None:
    """Of the user, of another player, of the server, and of a leaderboard: each names its own reasons and a way on."""
    alice, bob = sim.join_server("alice", "bob")
    for command in ("history", "profile"):
        said, _ = await ask(sim, alice, command)
        assert said == OWN and "channels that you can see" in said and "**/play**" in said
        said, _ = await ask(sim, alice, command, player=bob)
        assert said == OF and "hide their matches" in said and "**/history**" in said
    said, (mine,) = await ask(sim, alice, "history", game="full_sun")
    assert said == f"{OWN} I have looked for Full Sun alone; without a game I look for all."
    here = await press(sim, alice, mine.custom_id)
    assert here.startswith(HERE) and "**/history**" in here
    said, _ = await ask(sim, alice, "leaderboard", game="full_sun")
    assert said.startswith("Full Sun has no leaderboard to show yet (all-time)")
    assert "For a rated match, press *More …*, then *Options …*" in said


async def test_who_has_left_the_server_is_as_one_who_never_played(sim: Simulation) -> None:
    """For those who ask about them. In the others' matches they stay, and on the leaderboard once they are back."""
    alice, bob, cara = people = sim.join_server("alice", "bob", "cara")
    past = past_in(sim, *people)
    await past.played(alice.id, bob.id)

    async def asked() -> list[Any]:
        return [await press(sim, bob, f"1/0/history//{rest}") for rest in (f"{alice.id}.0..f.0.0", of_both)]

    of_both = f"{bob.id}.{alice.id}..f.0.0"
    before = await asked()
    assert not any(map(nothing, before))
    sim.guild.remove_member(alice)
    assert await asked() == [OF, OF]
    assert not await profile_of(sim, alice.id, bob)
    board, _ = await ask(sim, cara, "leaderboard", game="full_sun")
    assert "alice" not in board and board.splitlines()[1].startswith("1. **bob**")
    assert "**alice** 28" in (await ask(sim, bob, "history"))[0]
    sim.guild.add_member(alice.user)
    assert await asked() == before and await profile_of(sim, alice.id, bob)
    assert "1. **alice**" in (await ask(sim, cara, "leaderboard", game="full_sun"))[0]


async def test_a_player_who_has_met_few_people_has_no_place_yet(sim: Simulation) -> None:
    alice, bob, cara, dave = people = sim.join_server("alice", "bob", "cara", "dave")
    past = past_in(sim, *people)
    for _ in range(5):
        await past.played(alice.id, bob.id)
    await past.played(bob.id, cara.id, dave.id)
    said, _ = await ask(sim, alice, "leaderboard", game="full_sun")
    first, second, *_, note = said.splitlines()[1:]
    assert first.startswith("1. **bob**") and second.startswith("– **alice** **1,") and note.startswith("-# ")
    assert second.endswith("5 matches, 5 won · needs rated matches with 2 more people ←")
    profile, _ = await ask(sim, cara, "profile", player=alice)
    assert re.search(r"rating [\d,]+ · 2 players", profile)


def staff_only(sim: Simulation, *people: MemberActor) -> ChannelHandle:
    """A channel that only these people and the bot can see."""
    sees = discord.PermissionOverwrite.from_pair(discord.Permissions.all(), discord.Permissions.none())
    no_one = discord.PermissionOverwrite(view_channel=False)
    rights: Any = {sim.guild.default_role: no_one, sim.bot.user: sees, **dict.fromkeys(people, sees)}
    return sim.guild.create_text_channel("staff-only", overwrites=rights)


async def everything_said(sim: Simulation, viewer: MemberActor, player: MemberActor) -> list[str]:
    """All answers about finished matches, also those behind forged buttons."""
    forged = ("0.0..f.0.0", f"{player.id}.0.full_sun.f.0.0", f"{player.id}.0..o.99999999999.9")
    return [
        (await ask(sim, viewer, "history", player=player))[0],
        (await ask(sim, viewer, "profile", player=player))[0],
        (await ask(sim, viewer, "leaderboard", game="full_sun"))[0],
        *[await press(sim, viewer, f"1/0/history//{rest}") for rest in forged],
        await press(sim, viewer, "1/0/ranks//full_sun/all-time/0"),
    ]


async def test_matches_of_a_channel_that_one_cannot_see_are_told_to_its_readers_alone(sim: Simulation) -> None:
    """Of the others' matches dave finds as little as of people who never played."""
    alice, bob, cara, dave = people = sim.join_server("alice", "bob", "cara", "dave")
    secret = staff_only(sim, alice, bob, cara)
    past = past_in(sim, *people)
    await past.played(alice.id, bob.id, channel=secret.id)
    assert all(map(nothing, await everything_said(sim, dave, alice)))
    assert "There is no such table" in (await ask(sim, dave, "replay", table=1))[0]
    for reader in (alice, cara):
        assert not any(map(nothing, await everything_said(sim, reader, alice)))
    allowed, denied = discord.Permissions(view_channel=True), discord.Permissions(read_message_history=True)
    overwrite = Overwrite(cara.id, OverwriteType.MEMBER, allowed.value, denied.value)
    sim.env.backend.set_overwrite(secret.id, overwrite)
    await sim.env.settle()
    assert all(map(nothing, await everything_said(sim, cara, alice))), "what was posted earlier is hidden from cara"
    await past.played(alice.id, bob.id, dave.id)
    said, _ = await ask(sim, dave, "history", player=alice)
    assert re.findall(r"table (\d+)", said) == ["2"] and "**1 match**" in (await ask(sim, dave, "profile"))[0]


@pytest.mark.parametrize(("private", "archived"), [(False, False), (False, True), (True, False), (True, True)])
async def test_a_thread_s_matches_are_told_to_those_who_can_see_it(
    sim: Simulation, monkeypatch: pytest.MonkeyPatch, private: bool, archived: bool
) -> None:
    """A public thread as its channel, also once it is archived; a private one to its players and moderators."""
    alice, bob, cara = people = sim.join_server("alice", "bob", "cara")
    moderators = sim.guild.create_role("mods", permissions=discord.Permissions(manage_threads=True))
    (mod,) = sim.join_server("mod", roles=[moderators])
    backend, kind = sim.env.backend, ChannelType.PRIVATE_THREAD if private else ChannelType.PUBLIC_THREAD
    made = backend.create_thread(sim.channel.id, "a game", alice.id, type=kind)
    thread = ChannelHandle(sim.env, sim.guild, made)
    past = past_in(sim, *people)
    await past.played(alice.id, bob.id, channel=thread.id, parent=None if private else sim.channel.id)
    await Threads(sim, monkeypatch).set(thread, archived=archived)
    for viewer, sees in ((alice, True), (cara, not private), (mod, not private or not archived)):
        assert ((await ask(sim, viewer, "history", player=alice))[0] not in (OWN, OF)) == sees, viewer.name


@pytest.mark.parametrize("how", ["hidden", "deleted"])
async def test_who_is_hidden_and_who_never_played_are_told_alike(sim: Simulation, how: str) -> None:
    """The same sentence, the same buttons, whatever is asked about them; they themselves see all of it."""
    alice, bob, cara = people = sim.join_server("alice", "bob", "cara")
    past = past_in(sim, *people)
    await past.played(alice.id, bob.id)
    await past.played(bob.id, alice.id)
    own = [await ask(sim, alice, command) for command in ("history", "profile")]
    assert not any(nothing(said) for said, _ in own)

    async def answers(person: MemberActor) -> list[tuple[str, list[Pressable]]]:
        return [
            await ask(sim, bob, "history", player=person),
            await ask(sim, bob, "history", player=person, game="full_sun"),
            await ask(sim, bob, "history", **{"with": person}),
            await ask(sim, bob, "profile", player=person),
        ]

    never = await answers(cara)
    of_one_game = f"{OF} I have looked for Full Sun alone; without a game I look for all."
    assert [said for said, _ in never] == [OF, of_one_game, OF, OF]
    assert not any(nothing(said) for said, _ in await answers(alice))
    if how == "hidden":
        await hide(sim, alice)
        assert [await ask(sim, alice, command) for command in ("history", "profile")] == own
    else:
        await Privacy(sim.database, (), ErasureLog(None)).erase(alice.id, START)
    assert await answers(alice) == never
    mine, _ = await ask(sim, bob, "history")
    assert "alice" not in mine and r"1\. a player 28 · 2. **bob** 26" in re.sub(r" \([+−]\d+\)", "", mine)
    board, _ = await ask(sim, cara, "leaderboard", game="full_sun")
    assert "alice" not in board and board.splitlines()[1].startswith("1. **bob**") and len(board.splitlines()) == 3


async def test_in_direct_messages_only_one_s_own_are_told(sim: Simulation) -> None:
    alice, bob = people = sim.join_server("alice", "bob")
    past = past_in(sim, *people)
    await past.played(alice.id, bob.id)
    await past.played(alice.id, bob.id, guild=77)
    said = sim.said(await alice.user.slash("history"))
    assert re.findall(r"table (\d+)", said) == ["2", "1"]
    assert "**2 matches** · 2 won" in sim.said(await alice.user.slash("profile"))


async def test_a_forged_button_of_a_list_is_refused(sim: Simulation) -> None:
    (alice,) = await sim.lobby("alice")
    late = "9223372036854775808.0..f.0.0"
    for rest in ("", "1.2", "x.0..f.0.0", late, "1.0..z.0.0", "1.0.full_sun/.f.0.0", "١.0..f.0.0"):
        assert "no longer works" in await press(sim, alice, f"1/0/history//{rest}"), rest
    assert await press(sim, alice, "1/0/history//9223372036854775807.1.full_sun.o.1.1") == (
        f"{OF} I have looked for Full Sun alone; without a game I look for all."
    )
    assert "no such game" in await press(sim, alice, "1/0/history//1.1.chess.o.1.1")
    assert "no such game" in await press(sim, alice, "1/0/ranks//chess/all-time/0")
    assert "no month" in await press(sim, alice, "1/0/ranks//full_sun/2026-13/0")
    assert (await press(sim, alice, "1/0/ranks//full_sun/2026-12/999999999999999")).startswith("Full Sun has no")


async def test_a_third_win_in_a_row_is_told_with_the_end(sim: Simulation) -> None:
    table = await short(sim, "alice", "bob")
    past = past_in(sim, *table.people)
    alice, bob = table.people
    for _ in range(2):
        await past.played(alice.id, bob.id, ranks=(1, 1), game="sea_change", ended_at=before(sim))
    await played(table)
    await sim.caught_up()
    match, state = await table.now()
    outcome = state.outcome()
    (winner,) = [match.chairs[seat].name for seat in outcome.winners]
    assert f"**{winner}**: 3 wins in a row!" in told_text(sim)


@pytest.mark.parametrize("hidden", [False, True])
async def test_the_closest_match_is_told_with_the_end(sim: Simulation, hidden: bool) -> None:
    table = await short(sim, "alice", "bob")
    past = past_in(sim, *table.people)
    both = [person.id for person in table.people]
    for _ in range(5):
        await past.played(*both, scores=(90, 2), game="sea_change", ended_at=before(sim))
    if hidden:
        await hide(sim, table.people[0])
    await played(table)
    await sim.caught_up()
    assert ("No match of Sea Change here has been this close." in told_text(sim)) != hidden


def told_text(sim: Simulation) -> str:
    ((_, message),) = told(sim)
    return str(message.components)
