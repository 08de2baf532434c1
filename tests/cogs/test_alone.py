"""A match that one player plays alone in direct messages: from `/play` there to *Play again*, in one message."""

from __future__ import annotations

import discord
import pytest
from simcord.actors import MemberActor

import cogs.match.alone
from cogs.match.alone import IDLE, Alone
from cogs.match.lobby import Lobby
from cogs.match.membership import IDLE_LOBBY, Membership
from cogs.match.seating import EASIEST
from cogs.match.service import MatchService
from cogs.transport.publisher import PublishTiming
from data.content.texts import texts
from data.records.match import Match, Status
from data.records.people import PingPreference
from data.records.post import HandPost
from data.store import schema
from rules import GAMES, LESSONS
from rules.core.computer import Level
from rules.core.game import Seat
from tests.cogs.failing.stage import KINDS, PASSING
from tests.cogs.learning import dm, moved_on
from tests.cogs.message_text import read
from tests.cogs.test_evening import MOST_PRESSES, Evening
from tests.support import abroad
from tests.support.call_sites import FailingConnection
from tests.support.simulation import Simulation, controls, offers, raw
from tests.support.table import fast_computers, shortest_options
from tests.support.write_recorder import Change, refuse_writes

pytestmark = pytest.mark.usefixtures("plain")
SAY = texts("en")
SOLO = "sea_change"
"""A game that one player can play without computers."""
MOST_MOVES = 2_000
SENT, EDITED, ANSWERED = (
    f"transport.{where}"
    for where in ("hand_messages._sent:send_private", "hand_messages._edited:edit", "hand_replies._shown:edit_own")
)
"""The places at which the bot shows a hand in direct messages."""
PARTS = 4
"""Tests that share all errors of Discord at these places."""


async def play(sim: Simulation, person: MemberActor, slug: str) -> str:
    """Let this person type `/play` in direct messages; return the answer."""
    said = sim.said(await person.user.slash("play", game=slug))
    await sim.caught_up()
    return said


async def opened(sim: Simulation, slug: str = "full_circle") -> MemberActor:
    (alice,) = sim.join_server("alice")
    await play(sim, alice, slug)
    return alice


async def press(sim: Simulation, person: MemberActor, what: str, value: str | None = None) -> str:
    """Press a control of this person's hand; return the answer."""
    said = sim.said(await sim.press(person, sim.hand(person), what, value))
    await sim.caught_up()
    return said


async def forge(sim: Simulation, person: MemberActor, custom_id: str, *values: str) -> str:
    where = {"message": sim.hand(person).id, "channel": dm(person)}
    return await sim.forge(person, custom_id, values=values or None, **where)


async def begun(sim: Simulation, slug: str = "full_circle", computers: int | None = None) -> MemberActor:
    """Return a person who plays alone, to the game's shortest end, once it is their turn."""
    alice = await opened(sim, slug)
    if computers is not None:
        await press(sim, alice, "1/1/option//computers", str(computers))
    for name, value in shortest_options(slug, len((await sim.match()).chairs)).items():
        await press(sim, alice, f"1/1/option//{name}", value)
    await press(sim, alice, "Start")
    await moved_on(sim)
    return alice


async def to_the_end(sim: Simulation, person: MemberActor, number: int = 1) -> Match:
    """Let the person make moves in their hand until the match is over; each answer is the hand."""
    for _ in range(MOST_MOVES):
        if not (await moved_on(sim, number)).open:
            return await sim.match(number)
        offer = offers(sim.hand(person))[0]
        await sim.press(person, sim.hand(person), offer.custom_id, offer.value)
    raise AssertionError("the match does not end")


@pytest.mark.games("slug", short=["full_circle"], long=GAMES)
async def test_it_is_one_message_from_its_lobby_to_its_end(
    sim: Simulation, monkeypatch: pytest.MonkeyPatch, slug: str
) -> None:
    """No other person sees it or is told of it, it pings no one, and a move takes as few presses as at a table. *Play
    again* begins the next one at once, with the same computers and options.
    """
    fast_computers(monkeypatch)
    alice = await begun(sim, slug)
    hand, evening = sim.hand(alice).id, Evening(sim, slug)
    await evening.to_the_end()
    end, match = sim.hand(alice), await moved_on(sim)
    assert end.id == hand and match.status is Status.OVER
    assert max(evening.moves) <= MOST_PRESSES[slug], evening.moves
    assert "✓" not in read(end), "the last move is not told beside the end"
    assert sim.public() == [] and sim.pings() == [], "no hello to a player who is there"
    for look in ("1/1/replay//", "1/1/review//", "1/1/log//", SAY["button.fair"]):
        assert "table 1" in await press(sim, alice, look), look
    await press(sim, alice, "Play again")
    again = await moved_on(sim, 2)
    assert again.running and (again.options, len(again.chairs)) == (match.options, len(match.chairs))
    assert {c.level for c in again.chairs if c.user is None} == {c.level for c in match.chairs if c.user is None}
    assert sim.hand(alice).id != hand and "table 2" in read(sim.hand(alice))
    sim.raw_press(alice, "1/1/again//", message=hand, channel=dm(alice))
    await sim.env.settle()
    assert sum((await sim.matches.index.counts()).values()) == 2, "another press shows the same one"


async def test_computers_are_beginners_until_a_match_of_the_game_is_finished(sim: Simulation) -> None:
    alice = await begun(sim)
    await to_the_end(sim, alice)
    for game in ("full_circle", "full_sun"):
        await play(sim, alice, game)
        assert (f"1/0/learn//{game}" in controls(raw(sim.hand(alice)))) == (game == "full_sun"), "the lesson, as long"
    levels = [{chair.level for chair in (await sim.match(n)).chairs if chair.user is None} for n in (1, 2, 3)]
    assert levels == [{"beginner"}, {"friend"}, {"beginner"}]


async def test_it_has_the_fewest_computers_and_after_a_lesson_those_of_the_lesson_who_are_beginners(
    service: MatchService, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def strong(*_: object) -> Level:
        return "strong"

    monkeypatch.setattr(cogs.match.alone, "level_for", strong)
    alone = Alone(service, Lobby(service), Membership(service, Lobby(service)))
    for user, begins in ((1, False), (2, True)):
        await service.people.meet(user, "Ann")
        for slug, game in GAMES.items():
            match, is_new = await alone.open(slug, user, "Ann", "en", begins=begins)
            levels = [chair.level for chair in match.chairs if chair.user is None]
            count = LESSONS[slug].seats - 1 if begins else max(1, game.seats[0] - 1)
            assert levels == [EASIEST if begins else "strong"] * count
            assert is_new and (match.status is Status.PLAYING) == begins


async def test_its_lobby_has_all_choices_and_shows_them(sim: Simulation) -> None:
    alice = await opened(sim, SOLO)
    match = await sim.match()
    assert match.status is Status.LOBBY and len(match.chairs) == 2 and (match.guild, match.channel) == (0, 0)
    await press(sim, alice, "1/1/option//computers", "3")
    await press(sim, alice, "1/1/level//all", "all strong")
    await press(sim, alice, "1/1/option//target", "5")
    match = await sim.match()
    assert [chair.level for chair in match.chairs[1:]] == ["strong"] * 3 and match.options["target"] == 5
    assert {"3 computers", "Computers: strong"} <= {*controls(raw(sim.hand(alice)))}
    await press(sim, alice, "1/1/option//computers", "0")
    assert SAY["alone.none"] in controls(raw(sim.hand(alice)))
    await press(sim, alice, "Start")
    assert (await moved_on(sim)).running and len((await sim.match()).chairs) == 1


async def test_what_takes_a_vote_elsewhere_is_taken_back_at_once(sim: Simulation) -> None:
    alice = await opened(sim)
    await press(sim, alice, "Start")
    while not any("/vote//undo" in control for control in controls(raw(sim.hand(alice)))):
        assert (await moved_on(sim)).running
        offer = offers(sim.hand(alice))[-1]
        await press(sim, alice, offer.custom_id, offer.value)
    before = await sim.match()
    said = await press(sim, alice, "Undo")
    assert (await sim.match()).undone == before.undone + 1
    assert not (await sim.match()).proposals
    assert "vote" not in said and "✓ Undone: " in said


async def test_what_others_would_decide_is_refused_or_happens_at_once(sim: Simulation) -> None:
    alice = await opened(sim)
    for custom_id, *values in (
        ("1/1/option//seats", "3"),
        ("1/1/option//clock", "day_1"),
        ("1/1/option//rated", "on"),
        ("1/1/option//place", "thread"),
        ("1/1/language//", "de"),
        ("1/1/closed//1",),
        ("1/1/start_time//", "900"),
        ("1/1/hand_on//", str(alice.id)),
    ):
        assert SAY["refused.alone"] in await forge(sim, alice, custom_id, *values), custom_id
    await press(sim, alice, "Start")
    await moved_on(sim)
    for custom_id in ("1/1/offer//1", "1/1/vote//pause", "1/1/vote//clock day_1", "1/1/nudge//", "1/1/people//"):
        assert SAY["refused.alone"] in await forge(sim, alice, custom_id), custom_id
    assert "End the match?" in sim.said(await alice.user.slash("leave"))
    await press(sim, alice, "More …")
    assert "End the match?" in await press(sim, alice, "End the match")
    await forge(sim, alice, "1/1/vote_sure//end")
    await sim.caught_up()
    assert (await sim.match()).status is Status.STOPPED
    assert SAY["end.stopped_alone"] in read(sim.hand(alice))


async def test_a_lobby_is_cancelled_or_left(sim: Simulation) -> None:
    alice = await opened(sim)
    await press(sim, alice, SAY["lobby.cancel"])
    assert (await sim.match()).status is Status.CANCELLED and offers(sim.dms(alice)[-1]) == []
    await play(sim, alice, "full_circle")
    sim.said(await alice.user.slash("leave"))
    await sim.caught_up()
    assert (await sim.match(2)).status is Status.CANCELLED
    assert controls(raw(sim.dms(alice)[-1])) == [] and "You are no longer at" in read(sim.dms(alice)[-1])


async def test_two_commands_at_once_open_one_match(sim: Simulation) -> None:
    """Another one shows it until the first move, in the lobby and after the start."""
    alice = await opened(sim)
    assert "still waiting" in await play(sim, alice, "full_circle")
    await press(sim, alice, "Start")
    await moved_on(sim)
    assert "still waiting" in await play(sim, alice, "full_circle")
    assert sum((await sim.matches.index.counts()).values()) == 1
    offer = offers(sim.hand(alice))[0]
    await press(sim, alice, offer.custom_id, offer.value)
    assert "Here is" in await play(sim, alice, "full_circle")
    assert sum((await sim.matches.index.counts()).values()) == 2


async def test_a_person_has_at_most_so_many_open(sim: Simulation) -> None:
    sim.service.policy.tables_each = 2
    alice = await opened(sim)
    await play(sim, alice, "full_sun")
    assert "You are playing 2 matches alone" in await play(sim, alice, "siege_of_sunfall")
    assert "begins" in sim.said(await alice.user.slash("learn", game="siege_of_sunfall")), "lessons do not count"
    assert "is open" in await sim.slash(alice, "play", game="siege_of_sunfall"), "nor does it in a server"


async def test_if_direct_messages_do_not_arrive_it_is_played_in_the_answer(sim: Simulation) -> None:
    (alice,) = sim.join_server("alice")
    sim.close_dms(alice)
    result = await alice.user.slash("play", game="full_circle")
    await sim.caught_up()
    for custom_id in ("1/1/option//computers", "1/1/start//"):
        values = ["2"] if "option" in custom_id else None
        sim.raw_press(alice, custom_id, message=result.response.message.id, channel=dm(alice), values=values)
        await sim.env.settle()
    match = await moved_on(sim)
    assert match.running and len(match.chairs) == 3
    assert "Your turn" in read(result.response.message) and "You are no longer at" not in read(result.response.message)


async def test_if_the_bot_is_blocked_in_between_the_hand_comes_by_command(sim: Simulation) -> None:
    alice = await begun(sim)
    sim.env.inject_error("PATCH", f"/channels/{dm(alice)}/messages/{sim.hand(alice).id}", status=403, code=50007)
    sim.close_dms(alice)
    match = await sim.match()
    turn = sim.service.turn(match, Seat(match.seat_of(alice.id) or 0))
    await sim.service.play(1, alice.id, turn, offers(sim.hand(alice))[0].custom_id.split("/", 4)[4])
    await moved_on(sim)
    person = await sim.service.people.get(alice.id)
    assert person is not None and person.dm_works is False
    assert "Your turn" in await sim.slash(alice, "hand")


@pytest.mark.parametrize("running", [False, True])
async def test_a_restart_changes_nothing(sim: Simulation, running: bool) -> None:
    alice = await (begun(sim) if running else opened(sim))
    shown, hand = read(sim.hand(alice)), sim.hand(alice).id
    await sim.restart(600)
    await moved_on(sim)
    assert (read(sim.hand(alice)), sim.hand(alice).id) == (shown, hand)
    if not running:
        await press(sim, alice, "Start")
    before, offer = (await moved_on(sim)).moves, offers(sim.hand(alice))[0]
    await press(sim, alice, offer.custom_id, offer.value)
    assert (await moved_on(sim)).moves > before, "it is played on"


@pytest.mark.parametrize("running", [False, True])
async def test_a_restored_backup_is_shown_again(sim: Simulation, running: bool) -> None:
    """Its hand may show a later position, or a match that its lobby did not become."""
    alice = await (begun(sim) if running else opened(sim))
    hand = sim.hand(alice)
    there = sim.bot.get_partial_messageable(dm(alice)).get_partial_message(hand.id)
    await there.edit(view=later(), allowed_mentions=discord.AllowedMentions.none())
    assert "later" in read(sim.hand(alice))
    await sim.database.write(schema.mark_restored)
    await sim.restart()
    await moved_on(sim)
    assert sim.hand(alice).id == hand.id and "A later position" not in read(sim.hand(alice))
    assert (await sim.match()).doubt is None


def later() -> discord.ui.LayoutView:
    view = discord.ui.LayoutView(timeout=None)
    view.add_item(discord.ui.TextDisplay("A later position"))
    view.add_item(discord.ui.ActionRow(discord.ui.Button(label="later", custom_id="1/1/log//")))
    return view


async def test_an_idle_match_ends(sim: Simulation) -> None:
    alice = await begun(sim)
    await play(sim, alice, "full_sun")
    sim.env.backend.advance_clock(IDLE_LOBBY + 60)
    await sim.app.membership.close_idle()
    sim.env.backend.advance_clock(IDLE)
    await sim.app.alone.close_idle()
    await sim.caught_up()
    assert [(await sim.match(number)).status for number in (1, 2)] == [Status.STOPPED, Status.CANCELLED]
    assert sim.pings()[1:] == [], "it reminds of nothing"


async def test_the_data_of_its_player_is_given_out_and_deleted(sim: Simulation) -> None:
    alice = await begun(sim)
    found = await sim.app.privacy.everything(alice.id)
    assert [seat["match"] for seat in found["seats"]] == [1] and [m["guild"] for m in found["matches"]] == [0]
    await play(sim, alice, "full_sun")
    await forge(sim, alice, "1/0/data//delete")
    await sim.caught_up()
    assert [(await sim.match(number)).open for number in (1, 2)] == [False, False]
    assert await sim.service.people.get(alice.id) is None
    assert not (await sim.app.privacy.everything(alice.id))["messages"]


@pytest.mark.parametrize("every", [4, pytest.param(1, marks=pytest.mark.long)])
async def test_no_other_person_gets_to_it(sim: Simulation, monkeypatch: pytest.MonkeyPatch, every: int) -> None:
    """In its lobby, its play and after its end; in a server, in direct messages, and in a server without the bot. What
    a press would store is noted and not stored. `every`: each so many-th action is tried.
    """
    alice = await opened(sim, SOLO)
    await press(sim, alice, "1/1/option//target", "1")
    keeper = sim.guild.create_role("keeper", permissions=discord.Permissions(manage_guild=True))
    (bob,) = sim.join_server("bob", roles=[keeper])
    await sim.slash(bob, "games")
    guild, dunes = abroad.server_without_bot(sim)
    strange = guild.add_member(bob.user)
    messages = [(await bob.send(sim.channel, "hello")).id, (await strange.send(dunes, "hello")).id]
    abroad.install_by_users(monkeypatch, sim, guild.id)
    places = [*zip(messages, (sim.channel.id, dunes.id), strict=True)]
    actions = sorted({route.partition("/")[0] for route in sim.app.router.routes})[::every]
    for way in ("lobby", "playing", "over"):
        if way != "lobby":
            await press(sim, alice, "Start") if way == "playing" else await to_the_end(sim, alice)
        match = await moved_on(sim)
        assert match.status == way
        seat = Seat(match.seat_of(alice.id) or 0)
        turn = sim.service.turn(match, seat) if match.running else ""
        text = str(sim.service.state(match).legal_moves(seat)[0]) if match.running else ""
        changes = list[Change]()
        with monkeypatch.context() as patch:
            async with refuse_writes(sim.database, patch, changes.extend):
                for action in actions:
                    for message, channel in places:
                        said = await sim.forge(bob, f"1/1/{action}/{turn}/{text}", message=message, channel=channel)
                        assert "table 1" not in said and "Your turn" not in said, (way, action)
        assert not [change for change in changes if change.match == 1 or change.user == alice.id], way
        for command in ("hand", "log", "board", "verify", "replay", "join"):
            assert SAY["refused.no_match"] in await sim.slash(bob, command, table=1), command


@pytest.mark.parametrize("part", [0, *(pytest.param(part, marks=pytest.mark.long) for part in range(1, PARTS))])
async def test_it_goes_on_after_every_error_of_discord(
    sim: Simulation, monkeypatch: pytest.MonkeyPatch, part: int
) -> None:
    """When its hand is sent, edited by itself, or edited for a press: then one hand shows the match as it is."""
    alice = await opened(sim)
    await press(sim, alice, "1/1/option//target", "200")
    await press(sim, alice, "Start")
    await moved_on(sim)
    sim.set_timing(PublishTiming(edits=0, computer=0, retry=0.002, longest_retry=0.01))
    wire = FailingConnection(monkeypatch)
    failures = [failure for kind in KINDS.values() for failure in kind]
    for site, failure in [(site, failure) for failure in failures for site in (SENT, EDITED, ANSWERED)][part::PARTS]:
        match, hand = await sim.match(), sim.hand(alice)
        seat = Seat(match.seat_of(alice.id) or 0)
        turn, move = sim.service.turn(match, seat), str(sim.service.state(match).legal_moves(seat)[0])
        wire.fail(site, failure, 1)
        if site == SENT:
            sim.env.backend.delete_message(dm(alice), hand.id)
        if site == ANSWERED:
            sim.raw_press(alice, f"1/1/move/{turn}/{move}", message=hand.id, channel=dm(alice))
            await sim.env.settle()
        else:
            await sim.service.play(1, alice.id, turn, move)
        await moved_on(sim)
        assert wire.hits, (site, failure.name)
        wire.site = ""
        await sim.app.publisher.shown.hands.reach(alice.id, dm(alice))
        match = await moved_on(sim)
        shown = [message for message in sim.dms(alice) if "1/1/lookups//" in controls(raw(message))]
        assert "Your turn" in read(shown[-1]), (site, failure.name)
        # Discord refuses an edit for good only if the message is out of reach, and then it is not seen either.
        assert len(shown) == 1 or (site == EDITED and failure not in KINDS[PASSING]), (site, failure.name)
        for old in shown[:-1]:
            sim.env.backend.delete_message(dm(alice), old.id)
        turn = sim.service.turn(match, seat)
        assert {offer.custom_id.split("/")[3] for offer in offers(shown[-1])} == {turn}, (site, failure.name)


async def test_it_is_in_its_players_history_alone(sim: Simulation) -> None:
    """And in no rating, and in no figure of a server."""
    alice = await begun(sim)
    match = await to_the_end(sim, alice)
    own = sim.said(await alice.user.slash("history"))
    assert "table 1" in own and "channels/0" not in own
    assert "table 1" not in await sim.slash(alice, "history")
    assert "table 1" not in sim.said(await sim.join_server("bob")[0].user.slash("history"))
    result = await sim.app.records.record(match)
    assert result is not None and not result.rated and (await sim.app.records.feats(1)).in_a_row == {}
    rows = await sim.database.read(lambda c: c.execute("SELECT count(*) FROM tally").fetchone()[0])
    assert rows == 0


async def test_it_comes_by_direct_message_whatever_its_player_wants_at_tables(sim: Simulation) -> None:
    (alice,) = sim.join_server("alice")
    await sim.slash(alice, "games")
    await sim.service.people.change(alice.id, ping=PingPreference.NONE)
    await play(sim, alice, "full_circle")
    await press(sim, alice, "Start")
    await moved_on(sim)
    assert "Your turn" in read(sim.hand(alice))
    assert [post.of for post in await sim.service.posts.of(1)] == [(HandPost, (await sim.match()).seat_of(alice.id))]


async def test_people_cannot_be_invited_to_it(sim: Simulation) -> None:
    alice, bob = sim.join_server("alice", "bob")
    assert SAY["refused.only_in_servers"] in sim.said(
        await alice.user.slash("play", game="full_circle", **{"with": bob.user})
    )
    assert sum((await sim.matches.index.counts()).values()) == 0
