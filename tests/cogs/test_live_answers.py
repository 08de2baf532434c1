"""Private answers about the present are kept true, and closed once they are moot."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest
from simcord.actors import MemberActor
from simcord.results import InteractionResult

from cogs.match.refusals import Reason, Refused
from cogs.match.service import MatchService
from cogs.messages import lookups
from cogs.messages.content import Content
from cogs.transport import live_answers
from cogs.transport.errors import DiscordFailure, Failure
from cogs.transport.live_answers import MARGIN, LiveAnswers
from cogs.transport.request_budget import PublishTiming
from cogs.transport.senders import LIFE, Live
from data.records.match import Status
from tests.cogs.managing import manager
from tests.support.hung import HUNG
from tests.support.matches import ANN
from tests.support.meaning import standing
from tests.support.simulation import Simulation, controls, raw
from tests.support.table import Table

pytestmark = pytest.mark.usefixtures("plain")


def text_of(sim: Simulation, result: InteractionResult) -> str:
    """Return what that answer says now; "" if it is closed."""
    shown = None if result.response is None else result.response.id
    return next((message.text for message in standing(sim) if message.number == shown), "")


async def test_all_pages_of_a_lobby_close_when_it_starts(sim: Simulation) -> None:
    alice, bob = await sim.lobby("alice", "bob")
    for person, page in ((alice, "More …"), (bob, "More …"), (alice, "Computers …"), (alice, "Players …")):
        await sim.press(person, sim.board(), page)
    assert any(message.answers and "/option/" in str(message.body) for message in standing(sim))
    await sim.press(alice, sim.board(), "Start")
    offered = {control.id.action for message in standing(sim) if message.answers for control in message.controls()}
    assert not offered & {"option", "add", "cancel", "invite", "level"}, "nothing that looks like a lobby is left"


async def test_a_page_tells_what_others_choose_and_is_closed_in_time(sim: Simulation) -> None:
    alice, bob = await sim.lobby("alice", "bob")
    shown = await sim.press(bob, sim.board(), "More …")
    before = raw(shown.response.message) if shown.response else {}
    await sim.press(alice, sim.board(), "1/1/option//clock", "day_1")
    assert shown.response is not None and raw(shown.response.message) != before
    await sim.env.advance_time(LIFE + 1)
    assert text_of(sim, shown) == ""


async def test_what_a_player_looked_up_in_their_hand_goes_with_their_next_move(sim: Simulation, siege: Table) -> None:
    """So the hand is the lowest message again. *Players* stands below a hand too, though it is opened at the table."""
    alice, _, carol = siege.people
    others = await sim.press(alice, sim.board(), "Players")
    at_table = await sim.press(carol, sim.board(), "Players")
    await sim.press(carol, sim.hand(carol), "More …")
    looks = [await sim.press(carol, sim.hand(carol), page) for page in ("Rules", "Log", "Settings")]
    looks += [await sim.press(carol, looks[0].response, "Your turn in full")]
    looks += [await sim.press(carol, looks[2].response, "Settings for all tables")]
    assert all(text_of(sim, look) for look in looks)
    await siege.decide(carol)
    assert not any(text_of(sim, look) for look in (*looks, at_table)) and text_of(sim, others)
    assert max(sim.env.backend.messages[sim.hand(carol).channel.id]) == sim.hand(carol).id


async def test_what_was_looked_up_stays_while_others_move_and_is_closed_in_time(sim: Simulation, siege: Table) -> None:
    alice, *_, carol = siege.people
    await sim.press(carol, sim.hand(carol), "More …")
    rules = await sim.press(carol, sim.hand(carol), "Rules")
    await siege.decide(alice)
    await sim.env.advance_time(LIFE - 1)
    assert text_of(sim, rules) != ""
    await sim.press(carol, rules.response, "Your turn in full")
    await sim.env.advance_time(LIFE - 1)
    assert text_of(sim, rules) != "", "each press in it begins these minutes again"
    await sim.env.advance_time(2)
    assert text_of(sim, rules) == ""


async def test_what_is_looked_up_in_a_hand_stays_once_the_match_is_over(sim: Simulation, tide: Table) -> None:
    alice, _ = tide.people
    await sim.press(alice, sim.hand(alice), "More …")
    rules = await sim.press(alice, sim.hand(alice), "Rules")
    for person in tide.people:
        await sim.forge(person, "1/1/vote_sure//end")
    assert (await sim.match()).status is Status.STOPPED
    log = await sim.press(alice, sim.hand(alice), "Log")
    await sim.env.advance_time(LIFE + MARGIN + 1)
    assert text_of(sim, rules) != "" and text_of(sim, log) != "" and not sim.app.publisher.answers.kept


async def test_a_sentence_goes_with_its_readers_next_press_and_is_closed_in_time(sim: Simulation, tide: Table) -> None:
    """Or with their next command; not with the press of another."""
    ida, mona = sim.join_server("ida", "mona")

    async def refused(person: MemberActor) -> InteractionResult:
        result = sim.raw_press(person, "1/1/hand//", message=sim.board().id)
        await sim.env.settle()
        assert "You are not playing at this table." in text_of(sim, result)
        return result

    first, other = await refused(ida), await refused(mona)
    second = await refused(ida)
    assert text_of(sim, first) == "" != text_of(sim, other)
    await sim.slash(ida, "help")
    assert text_of(sim, second) == ""
    await sim.env.advance_time(LIFE - 1)
    assert text_of(sim, other) != ""
    await sim.env.advance_time(1)
    assert text_of(sim, other) == ""


async def test_a_sentence_goes_when_its_match_begins(sim: Simulation) -> None:
    alice, _ = await sim.lobby("alice", "bob")
    (ida,) = sim.join_server("ida")
    refused = sim.raw_press(ida, "1/1/leave//", message=sim.board().id)
    await sim.env.settle()
    assert "You have not joined this table yet." in text_of(sim, refused)
    await sim.press(alice, sim.board(), "Start")
    assert text_of(sim, refused) == ""


async def test_so_does_what_is_left_of_a_question(sim: Simulation, tide: Table) -> None:
    alice, bob = tide.people
    asked = await sim.press(alice, (await sim.press(alice, sim.board(), "Players")).response, "End the match")
    await sim.press(alice, asked.response, "No, keep playing")
    assert "you play on" in text_of(sim, asked)
    await sim.forge(bob, "1/1/vote_sure//end")
    assert "you play on" in text_of(sim, asked)
    await sim.forge(alice, "1/1/vote_sure//end")
    assert text_of(sim, asked) == ""


async def test_a_code_for_the_operator_stays(sim: Simulation, tide: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    async def fails(*_: object) -> Content:
        raise ValueError

    alice, told = tide.people[0], list[str]()
    monkeypatch.setattr("cogs.transport.interactions.log.error", lambda text, *facts, **_: told.append(text % facts))
    monkeypatch.setattr(lookups, "log", fails)
    result = sim.raw_press(alice, "1/1/log//", message=sim.board().id)
    await sim.env.settle()
    await sim.slash(alice, "help")
    await sim.env.advance_time(LIFE + MARGIN)
    (fault,) = told
    assert fault.split()[1].removesuffix(":") in text_of(sim, result)


@pytest.mark.parametrize("restarts", [False, True])
async def test_a_question_about_a_lobby_cancels_no_match(sim: Simulation, restarts: bool) -> None:
    """Also if a restart has left it standing: it is asked again, about the match that would end."""
    alice, _ = await sim.lobby("alice", "bob")
    mona = manager(sim)
    asked = await mona.slash(sim.channel, "cancel", table=1)
    if restarts:
        await sim.restart()
    await sim.press(alice, sim.board(), "Start")
    assert ("The match ends now" in text_of(sim, asked)) is not restarts
    if restarts:
        await sim.press(mona, asked.response, "Yes, cancel it")
        assert "The match ends now" in text_of(sim, asked) and (await sim.match()).running
    await sim.press(mona, asked.response, "Yes, cancel it")
    assert (await sim.match()).status is Status.CANCELLED and "is cancelled" in text_of(sim, asked)


@pytest.mark.parametrize("moot", ["a pause", "a move"])
async def test_what_a_voter_was_told_goes_once_the_vote_is_moot(sim: Simulation, moot: str) -> None:
    people = sim.join_server("alice", "bob", "carol")
    await (await Table.begin(sim, "photosynthesis", people, seed="back")).play(lambda match, state: match.moves == 1)
    voted = sim.raw_press(people[0], "1/1/vote_sure//undo 0", message=sim.board().id)
    await sim.env.settle()
    assert "your vote is in. Undo the last move: 1 of 3 votes." in text_of(sim, voted)
    if moot == "a move":
        await sim.play_on(most=1)
    else:
        for person in people[1:]:
            await sim.forge(person, "1/1/vote_sure//pause")
        assert (await sim.match()).rests_since is not None
    assert text_of(sim, voted) == ""


async def test_a_vote_with_others_ends_nothing_alone(sim: Simulation, tide: Table) -> None:
    alice, bob = tide.people
    asked = await sim.press(alice, (await sim.press(alice, sim.board(), "Players")).response, "End the match")
    await sim.restart()
    await sim.forge(bob, "1/1/give_seat//")
    await sim.press(alice, asked.response, "Yes, ask everyone")
    assert "ends at once" in text_of(sim, asked) and (await sim.match()).running
    await sim.press(alice, asked.response, "Yes, end it")
    assert (await sim.match()).status is Status.STOPPED


async def test_what_was_opened_at_a_table_goes_on_with_it(sim: Simulation, tide: Table) -> None:
    """The scores, the players, a seat that is offered and the ways out, until the match is over."""
    alice, bob = tide.people
    scores = await sim.press(alice, sim.board(), "Scores")
    before = text_of(sim, scores)
    _, person, _ = await tide.asked()
    await tide.decide(person)
    assert text_of(sim, scores) not in ("", before)
    players = await sim.press(bob, sim.board(), "Players")
    ways = await sim.press(bob, players.response, "Leave …")
    assert "the match ends if enough of you vote" in text_of(sim, ways)
    offered = await sim.press(alice, (await alice.slash(sim.channel, "leave")).response, "Look for a substitute")
    assert "up for grabs" in text_of(sim, offered)
    (carol,) = sim.join_server("carol")
    seat = (await sim.match()).seat_of(alice.id)
    assert "You have taken over **alice**'s seat at [Sea Change" in await sim.forge(carol, f"1/1/take//{seat}")
    assert text_of(sim, offered) == "" and "carol" in text_of(sim, players)
    await sim.forge(carol, "1/1/give_seat//")
    assert "no other person plays, so the match ends at once" in text_of(sim, ways)
    await sim.forge(bob, "1/1/give_seat//")
    assert [text_of(sim, shown) for shown in (players, ways)] == ["", ""]


async def test_the_time_limit_is_told_as_it_is(sim: Simulation) -> None:
    """In the lobby, in the match, and after a vote; until the match is over."""
    alice, bob = await sim.lobby("alice", "bob")
    shown = await alice.slash(sim.channel, "clock")
    assert "Time limit: none" in text_of(sim, shown)
    await sim.slash(bob, "clock", terms="week")
    assert "about 10 days to move" in text_of(sim, shown)
    await sim.press(alice, sim.board(), "Start")
    assert shown.response is not None and "1/1/option//clock" not in controls(raw(shown.response.message))
    for person in (bob, alice):
        await sim.slash(person, "clock", terms="day_2")
    assert "about 10 days to move" not in text_of(sim, shown) != ""
    for person in (bob, alice):
        await sim.forge(person, "1/1/vote_sure//end")
    assert text_of(sim, shown) == ""


async def test_who_waits_no_more_is_not_told_so(sim: Simulation, tide: Table) -> None:
    (carol,) = sim.join_server("carol")
    waits = await carol.slash(sim.channel, "join", table=1)
    assert "waiting list" in text_of(sim, waits)
    await sim.slash(carol, "leave", table=1)
    assert text_of(sim, waits) == ""


async def test_what_is_opened_again_takes_the_place_of_the_one_before(sim: Simulation, tide: Table) -> None:
    alice, _ = tide.people
    for what in ("Players", "Scores"):
        opened = [await sim.press(alice, sim.board(), what) for _ in range(3)]
        assert [text_of(sim, shown) != "" for shown in opened] == [False, False, True]
    await sim.press(alice, sim.hand(alice), "More …")
    rules = await sim.press(alice, sim.hand(alice), "Rules")
    await sim.press(alice, rules.response, "Your turn in full")
    again = await sim.press(alice, sim.hand(alice), "Rules")
    assert text_of(sim, rules) == "" != text_of(sim, again)


async def test_a_second_press_on_start_says_whose_is_missing(sim: Simulation) -> None:
    alice, bob, _ = await sim.lobby("alice", "bob", "carol")
    told = "**bob** wants to start. It begins when the host or one more player presses *Start*."
    for _ in range(2):
        assert told in sim.said(await sim.press(bob, sim.board(), "Start"))
    assert sum(told in message.text for message in standing(sim) if message.answers) == 1
    await sim.press(alice, sim.board(), "Start")
    assert not any(told in message.text for message in standing(sim))


@pytest.mark.parametrize("ends", ["No", "Yes"])
async def test_what_a_voter_was_told_goes_on_with_the_vote(sim: Simulation, siege: Table, ends: str) -> None:
    """Of a vote for and of one against, until it is closed."""
    alice, bob, carol = siege.people
    voted = sim.raw_press(alice, "1/1/vote//pause", message=sim.board().id)
    await sim.env.settle()
    assert "your vote is in. Pause the match: 1 of 2 votes." in text_of(sim, voted)
    opposed = await sim.press(bob, sim.board(), "No")
    assert "you voted no. Pause the match: 1 of 2 votes." in text_of(sim, opposed)
    await sim.press(carol, sim.board(), ends)
    assert [text_of(sim, shown) for shown in (voted, opposed)] == ["", ""]


async def test_who_declines_and_joins_after_all_is_told_no_more_how(sim: Simulation) -> None:
    alice, bob = sim.join_server("alice", "bob")
    await sim.slash(alice, "play", game="sea_change", **{"with": bob})
    invitation = next(message for message in standing(sim) if "decline" in {c.id.action for c in message.controls()})
    declined = sim.raw_press(bob, "1/1/decline//", message=invitation.number)
    await sim.env.settle()
    assert "If you change your mind" in text_of(sim, declined)
    await sim.forge(bob, "1/1/accept//", message=invitation.number)
    assert text_of(sim, declined) == ""


async def test_a_table_offers_to_look_back_only_at_what_there_is(sim: Simulation, tide: Table) -> None:
    assert "1/1/last//" not in controls(raw(sim.board()))
    for _ in range(len(tide.people)):
        _, person, _ = await tide.asked()
        await tide.decide(person)
    assert "1/1/last//" in controls(raw(sim.board()))


async def test_others_are_told_that_an_awaited_player_is_off(sim: Simulation, tide: Table) -> None:
    _, person, _ = await tide.asked()
    other = next(one for one in tide.people if one is not person)
    await sim.slash(other, "hours", quiet_from="0:00", quiet_to="12:00", zone="UTC")
    await tide.decide(person)
    name = next(name for name, one in sim.people.items() if one is other)
    told = f"💤 **{name}** is off until"
    assert told in "\n".join(message.text for message in standing(sim) if message.viewer is None)
    await sim.env.advance_time(12 * 3600)
    assert told not in "\n".join(message.text for message in standing(sim))


async def test_a_question_what_to_play_ahead_goes_once_it_is_answered_and_at_the_players_turn(
    sim: Simulation, tide: Table
) -> None:
    """Also one that was asked twice, which stands once, and also after a restart, which forgets all answers."""
    (seat, *_), (match, _) = await tide.asked(), await tide.now()
    waits, play = sim.by_id(match.chairs[1 - seat].player), f"1/{match.id}/ahead//"
    first, second = [await sim.press(waits, sim.hand(waits), play) for _ in range(2)]
    assert second.response is not None and text_of(sim, first) == "" != text_of(sim, second)
    card = next(c for c in controls(raw(second.response.message)) if "/m/" in c)
    await sim.press(waits, second.response, card)
    assert text_of(sim, second) == ""
    left = await sim.press(waits, sim.hand(waits), play)
    assert left.response is not None and "I play **" in text_of(sim, left)
    await sim.restart()
    await sim.press(waits, left.response, card)
    assert text_of(sim, left) == ""
    moot = await sim.press(waits, sim.hand(waits), play)
    _, person, _ = await tide.asked()
    await tide.decide(person)
    assert (await tide.now())[0].chairs[1 - seat].ahead is None
    assert text_of(sim, moot) == ""


# --- presses in an answer


def press_in(message: Any) -> Any:
    return SimpleNamespace(message=message, data=None, extras={}, user=SimpleNamespace(id=ANN))


class Kept:
    """An answer that is kept true, on a Discord that takes edits once `opened`."""

    def __init__(self, service: MatchService, monkeypatch: pytest.MonkeyPatch, failure: DiscordFailure | None) -> None:
        self.answers = LiveAnswers(service, PublishTiming(edits=HUNG, retry=HUNG))
        self.message: Any = SimpleNamespace(id=7)
        self.interaction = press_in(self.message)
        self.begun, self.opened, self.shown = asyncio.Event(), asyncio.Event(), list[Content]()

        async def edit(message: Any, user: int, content: Content) -> None:
            self.begun.set()
            await self.opened.wait()
            if failure is not None:
                raise failure
            self.shown.append(content)

        monkeypatch.setattr(live_answers, "edit_private", edit)

    def keep(self, now: str) -> None:
        """Keep an answer that says `now` since it was sent."""

        async def again() -> Content:
            return Content((now,), user=ANN)

        self.answers.keep(self.interaction, self.message, Live(Content(("before",), user=ANN), frozenset({1}), again))


@pytest.mark.parametrize("failure", [None, DiscordFailure(Failure.LATER)])
async def test_a_press_waits_for_the_edit_under_way_and_for_no_pause(
    service: MatchService, monkeypatch: pytest.MonkeyPatch, failure: DiscordFailure | None
) -> None:
    kept = Kept(service, monkeypatch, failure)
    kept.keep("now")
    await kept.begun.wait()
    entered = asyncio.Event()

    async def press() -> None:
        async with kept.answers.pressed(kept.interaction):
            entered.set()

    task = asyncio.create_task(press())
    await asyncio.sleep(0)
    assert not entered.is_set()
    kept.opened.set()
    await asyncio.wait_for(task, HUNG / 2)
    await kept.answers.close()


async def test_a_press_that_shows_nothing_leaves_the_answer_true(
    service: MatchService, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also if it comes before the work on the answer has begun."""
    kept = Kept(service, monkeypatch, None)
    kept.keep("now")
    async with kept.answers.pressed(kept.interaction):
        pass
    await asyncio.wait_for(kept.begun.wait(), HUNG)
    await kept.answers.close()


async def test_an_answer_whose_match_changes_while_it_is_deleted_is_deleted_once(
    service: MatchService, monkeypatch: pytest.MonkeyPatch
) -> None:
    deleted = list[int]()
    answers = LiveAnswers(service, PublishTiming(edits=0, retry=HUNG))

    async def delete(message: Any) -> None:
        deleted.append(message.id)
        answers.changed(1)

    async def moot() -> Content:
        raise Refused(Reason.NOT_AHEAD)

    monkeypatch.setattr(live_answers, "delete_private", delete)
    message: Any = SimpleNamespace(id=7)
    answers.keep(press_in(None), message, Live(Content(("before",), user=ANN), frozenset({1}), moot))
    (kept,) = answers.kept.values()
    await asyncio.wait_for(kept.work, HUNG)
    assert deleted == [7]
    await answers.close()


async def test_of_two_presses_at_once_the_later_answer_stays(
    service: MatchService, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = Kept(service, monkeypatch, None)
    kept.opened.set()
    kept.keep("the one page")
    kept.keep("the other page")
    await kept.begun.wait()
    assert [content.parts for content in kept.shown] == [("the other page",)]
    await kept.answers.close()


async def test_a_press_that_shows_nothing_there_gives_an_answer_no_more_time(sim: Simulation, tide: Table) -> None:
    """Discord takes its edits for 15 minutes from the press that showed it."""
    _, bob = tide.people
    players = await sim.press(bob, sim.board(), "Players")
    await sim.env.advance_time(LIFE - 60)
    ways = await sim.press(bob, players.response, "Leave …")
    assert text_of(sim, players) != ""
    await sim.env.advance_time(61)
    assert text_of(sim, players) == "" and text_of(sim, ways) != ""
