"""Catching up: what happened since one's own last move, offered to a player who comes back, never more than theirs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from cogs.match.agenda import LONG, Missed, missed
from cogs.match.clocks import GRACE
from cogs.match.positions import LoggedEvent
from cogs.match.service import MatchService
from cogs.messages.lookups import catch_up
from cogs.messages.narration import paragraph, sentences
from cogs.messages.presenter import Presenter
from data.records.match import Match, Status
from data.records.people import Person
from rules import GAMES
from rules.core.game import AnyState, Seat
from tests.cogs.test_games import label_of, labels, until_waits
from tests.contract.conftest import conservation_of
from tests.support.apicheck import GALLERY, components
from tests.support.matches import PEOPLE, begun, seated
from tests.support.simulation import Simulation, controls, raw
from tests.support.table import Table
from tests.support.traits import nearest_seats

pytestmark = pytest.mark.usefixtures("plain")


async def away_from_the_table(sim: Simulation) -> Table:
    """Sea Change for three, in which alice has moved and the others have since, until she is asked again."""
    people = sim.join_server("alice", "bob", "carol")
    table = await Table.begin(sim, "sea_change", people, seed="away")
    await until_waits(sim, table.number, people[0])
    match, state = await table.now()
    seat = Seat(match.seat_of(people[0].id) or 0)
    await sim.slash(people[0], "move", move=str(state.legal_moves(seat)[0]))
    await until_waits(sim, table.number, people[0])
    return table


async def since_my_move(sim: Simulation, user: int) -> list[str]:
    """The sentences of the log since this person's last move."""
    match, messages = await sim.match(), sim.bot.app.messages
    last = max(move.number for move in await sim.matches.moves(1) if move.user == user)
    told = [told for told in await sim.service.events_of(match) if told.move > last]
    return sentences(messages.service.game(match), match, told, match.seat_of(user), messages.labels(match, "en-US"))


def story_of(shown: str) -> str:
    """What an answer tells: what stands below its head, without the words of its picture and its buttons."""
    return shown.strip().split("\n", 1)[1]


async def test_my_hand_offers_what_has_happened_since_my_move(sim: Simulation) -> None:
    alice = (await away_from_the_table(sim)).people[0]
    assert "What happened?" in labels(sim.hand(alice)), "by direct message too"
    shown = await sim.press(alice, sim.board(), "My hand")
    result = await sim.press(alice, shown.response, "What happened?")
    sentences = await since_my_move(sim, alice.id)
    assert len(sentences) >= 2
    assert story_of(sim.said(result)).startswith("\n".join(sentences))
    (answer,) = sim.answers(result)
    assert answer.viewer == alice.id
    (gallery,) = [part for part in components(answer.body) if part["type"] == GALLERY]
    (picture,) = gallery["items"]
    assert picture["description"]
    # What came of the trick that she missed the end of tells more than her hand, which she sees anyway.
    match = await sim.match()
    assert sim.service.state(match).view(None).last_trick is not None
    assert picture["media"]["url"] == "attachment://last.png"
    # The same after a restart, in which nothing is remembered but the log.
    await sim.restart()
    again = await sim.press(alice, (await alice.slash(sim.channel, "hand")).response, "What happened?")
    assert story_of(sim.said(again)).startswith("\n".join(sentences))
    # And nothing once she has moved.
    shown = await sim.press(alice, sim.board(), "My hand")
    state = sim.service.state(await sim.match())
    await sim.slash(alice, "move", move=str(state.legal_moves(Seat(match.seat_of(alice.id) or 0))[0]))
    assert "Nothing has happened since your last move." in await sim.forge(alice, "1/1/catch_up//")


async def test_little_is_offered_only_after_a_while(sim: Simulation) -> None:
    """One move of two others: not to who looks at once, but to who comes back after an hour."""
    people = alice, *_ = sim.join_server("alice", "bob", "carol")
    table = await Table.begin(sim, "sea_change", people, seed="little")
    await until_waits(sim, 1, alice)
    match, state = await table.now()
    await sim.slash(alice, "move", move=str(state.legal_moves(Seat(match.seat_of(alice.id) or 0))[0]))
    match, state = await table.now()
    (seat,) = state.to_move()
    assert match.chairs[seat].user != alice.id, "this luck lets another follow"
    await sim.slash(sim.by_id(match.chairs[seat].player), "move", move=str(state.legal_moves(seat)[0]))
    shown = await sim.press(alice, sim.board(), "My hand")
    assert label_of(shown.response, "catch_up") is None
    await sim.env.advance_time(LONG)
    shown = await sim.press(alice, sim.board(), "My hand")
    assert "What happened?" in labels(shown.response)
    cursor = sim.cursor
    assert label_of(sim.hand(alice), "catch_up") is None, "what passes is in an answer alone"
    await sim.press(alice, shown.response, "What happened?")
    assert {shown.viewer for shown in sim.shown(cursor)} == {alice.id}


async def test_nothing_is_offered_to_look_back_at_before_anything_has_happened(sim: Simulation, siege: Table) -> None:
    """That the others have sealed their pledges is in the hand's picture."""
    alice, *others = siege.people

    async def offered() -> set[str]:
        await sim.press(alice, sim.hand(alice), "More …")
        shown = controls(raw(sim.hand(alice)))
        assert "1/1/log//" in shown, "it is open"
        await sim.press(alice, sim.hand(alice), "More …")
        return {action for action in ("last", "catch_up") if f"1/1/{action}//" in shown}

    assert await offered() == set()
    for person in others:
        await siege.decide(person)
    assert await offered() == set(), "sealed decisions alone"
    await siege.decide(alice)
    for person in others:
        await siege.decide(person)
    assert await offered() == {"last"}, "of her own move the hand tells"


async def test_what_a_computer_did_for_me_is_told_when_i_am_back(sim: Simulation) -> None:
    alice, bob = people = sim.join_server("alice", "bob")
    table = await Table.open(sim, "sea_change", people, seed="for me", options={"clock": "live_2"})
    await sim.env.advance_time(GRACE)
    await table.start()
    await until_waits(sim, 1, alice)
    match, state = await table.now()
    seat = match.seat_of(alice.id) or 0
    await sim.slash(alice, "move", move=str(state.legal_moves(Seat(seat))[0]))
    await until_waits(sim, 1, alice)
    for _ in range(6):
        await sim.env.advance_time(600)
    moves = await sim.matches.moves(1)
    mine = [move for move in moves if (move.seat, move.user) == (seat, None)]
    assert mine, "a computer has played for her"
    assert "What happened?" in labels(sim.hand(alice))
    back = await sim.press(alice, sim.hand(alice), "I'm back")
    assert "What happened?" in labels(back.response)
    said = story_of(sim.said(await sim.press(alice, back.response, "What happened?")))
    assert said.count("*For you:* **alice** plays") == len(mine)
    assert "**bob** plays" in said and "*For you:* **bob**" not in said
    assert bob.id not in {shown.viewer for shown in sim.shown() if "For you" in shown.text}


@pytest.mark.parametrize("wants_text", [True, False])
@pytest.mark.games("game", short=["full_sun", "siege_of_sunfall"], long=GAMES)
async def test_it_tells_no_more_than_the_log_lets_that_seat_look_back(
    service: MatchService, messages: Presenter, game: str, wants_text: bool
) -> None:
    """At every position of a match: sentences of its log, in order, since the seat's own last move; and it fits."""
    print(f"moves by seed {game}")
    random, seats = Random(game), nearest_seats(GAMES[game], 3)
    match, most = await begun(service, *PEOPLE[:seats], game=game), 0
    for _ in range(120):
        state = service.state(match)
        if match.status is not Status.PLAYING:
            break
        seat = random.choice(sorted(state.to_move()))
        move = random.choice(state.legal_moves(seat))
        match = (await service.play(match.id, match.chairs[seat].player, None, str(move))).match
        viewer = random.choice(match.people)
        story, spoken = await service.events_of(match), messages.labels(match, "en-US")
        found = missed(match, story, viewer.user or 0)
        log = sentences(messages.service.game(match), match, story, viewer.number, spoken)
        told = paragraph(service.game(match), match, found, viewer.number, spoken).removeprefix("… ")
        assert "\n".join(log).endswith(told), "as the log says it, line by line"
        assert all(told.seat != viewer.number for told in found.story if told.move >= 0)
        most = max(most, found.others)
        if random.random() < 0.1:
            content = await catch_up(messages, match, Person(viewer.user or 0, viewer.name, wants_text=wants_text))
            assert content.user == viewer.user
            assert sum(len(part) for part in content.parts if isinstance(part, str)) <= 4000
    assert most >= min(2, seats - 1)


@pytest.mark.parametrize("game", GAMES)
async def test_positions_that_a_seat_cannot_tell_apart_are_told_alike(
    service: MatchService, messages: Presenter, game: str
) -> None:
    """From a position and another that `redeal_unseen` makes of it, others move so that the seat sees no difference:
    then the paragraph has none, nor is it offered in one and not in the other.
    """
    print(f"moves by seed {game}")
    random, compared, differed = Random(game), 0, 0
    seats = nearest_seats(GAMES[game], 3)
    match = await begun(service, *PEOPLE[:seats], game=game)
    start, spoken = service.state(match), messages.labels(match, "en-US")
    for trial in range(30):
        walk = [start]
        for _ in range(random.randrange(40)):
            if not walk[-1].to_move():
                break
            mover = random.choice(sorted(walk[-1].to_move()))
            walk.append(walk[-1].apply(random.choice(walk[-1].legal_moves(mover)))[0])
        state = walk[-1] if walk[-1].to_move() else random.choice(walk)  # a short match may be over
        seat = Seat(random.randrange(seats))
        other, told, told_other = state.redeal_unseen(seat, f"{trial}"), [], []
        for number in range(8):
            pair = _unseen_difference(state, other, seat, random)
            if pair is None:
                break
            move, twin = pair
            differed += str(move) != str(twin) or state != other
            state, happened = state.apply(move)
            other, happened_other = other.apply(twin)
            told += [LoggedEvent(number, event, False, move.seat) for event in happened]
            told_other += [LoggedEvent(number, event, False, move.seat) for event in happened_other]
        here, there = (_in_words(service, messages, match, story, seat, spoken) for story in (told, told_other))
        assert here == there
        compared += bool(here[0])
    assert compared > 5
    assert differed or not conservation_of(GAMES[game]).REDEALS_DIFFER, "this game hides nothing"


def _unseen_difference(state: AnyState, other: AnyState, seat: Seat, random: Random) -> tuple[Any, Any] | None:
    """Moves of another seat, one in each position, after which this seat cannot tell the positions apart."""
    movers = sorted(state.to_move() - {seat})
    if not movers:
        return None
    mover = random.choice(movers)
    moves, twins = list(state.legal_moves(mover)), list(other.legal_moves(mover))
    random.shuffle(moves)
    random.shuffle(twins)
    for move in moves[:6]:
        seen = state.apply(move)[0].view(seat)
        for twin in twins:
            if other.apply(twin)[0].view(seat) == seen:
                return move, twin
    return None


def _in_words(
    service: MatchService, messages: Presenter, match: Match, story: Sequence[LoggedEvent], seat: Seat, spoken: Any
) -> tuple[str, int, bool]:
    found = missed(match, story, match.chairs[seat].player)
    return paragraph(service.game(match), match, found, seat, spoken), found.others, found.much(match)


# --- what counts as missed


def told(move: int, seat: int, user: int | None, *eyes: int) -> LoggedEvent:
    """An event of that move, which only these seats see."""
    event: Any = SimpleNamespace(seen_by=lambda viewer: "seen" if viewer in eyes else None)
    return LoggedEvent(move, event, False, seat, user)


STORY = (
    told(-1, -1, None, 0, 1, 2),
    told(0, 1, 102, 0, 1, 2),
    told(1, 0, 101, 0, 1, 2),
    told(2, 1, 102, 0, 1, 2),
    told(3, 2, 103, 2),
    told(4, 1, 102, 0, 1, 2),
    told(4, 1, 102, 0),
    told(5, 0, None, 0, 1, 2),
)
"""The opening, then moves of three seats; a computer makes the last one for seat 0."""


def test_what_a_player_missed_begins_after_their_last_move_or_when_they_sat_down() -> None:
    match = seated(101, 102, 103)
    own = missed(match, STORY, 101)
    assert (own.since, own.story, own.others, own.for_them) == (2, STORY[3:], 2, {5})
    late = replace(match, chairs=(replace(match.chairs[0], user=104, since=3), *match.chairs[1:]))
    new = missed(late, STORY, 104)
    assert (new.since, new.story, new.others, new.for_them) == (3, STORY[4:], 1, {5})
    at_the_end = replace(late, chairs=(replace(late.chairs[0], since=9), *late.chairs[1:]))
    assert missed(at_the_end, STORY, 104).story == ()
    first = replace(match, chairs=(replace(match.chairs[0], user=104), *match.chairs[1:]))
    whole = missed(first, STORY, 104)
    assert (whole.since, whole.story, whole.others, whole.for_them) == (0, STORY, 3, {1, 5})


@pytest.mark.parametrize(
    ("seats", "others", "for_them", "much"),
    [(3, 1, 0, False), (3, 2, 0, True), (2, 1, 0, True), (2, 0, 0, False), (1, 0, 0, False), (3, 0, 1, True)],
)
def test_much_was_missed_if_each_other_seat_may_have_moved(seats: int, others: int, for_them: int, much: bool) -> None:
    match = seated(*range(101, 101 + seats))
    found = Missed(0, (), others, frozenset(range(for_them)))
    assert found.much(match) == much
    assert found.much(replace(match, status=Status.OVER)) == much
    assert not found.much(replace(match, status=Status.STOPPED))


def test_the_last_move_is_long_ago_after_an_hour() -> None:
    match, one = replace(seated(101, 102), turn_since=100), Missed(0, (), 1, frozenset())
    assert one.long_ago(match, 100 + LONG)
    assert not one.long_ago(match, 99 + LONG)
    assert not one.long_ago(replace(match, turn_since=None), 100 + LONG)
    assert not one.long_ago(replace(match, status=Status.OVER), 100 + LONG)
    assert not Missed(0, (), 0, frozenset()).long_ago(match, 100 + LONG)
