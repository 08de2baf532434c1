"""Help in the hand of a newcomer: in their first match of a game, in their first turns."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from cogs.match.lobby import Lobby
from cogs.match.membership import Membership
from cogs.match.service import MatchService
from cogs.messages.hand import hand_message
from cogs.messages.hand_pages import signs
from cogs.messages.narration import MOST_TAUGHT, sentence, sentences, since_own_move
from cogs.messages.presenter import Presenter
from data.records.match import Match
from data.records.people import Person
from data.store.database import Database
from rendering import renderer
from rules import GAMES
from rules.core.game import Seat
from tests.cogs.test_hand import actions, read
from tests.support.matches import begun
from tests.support.published import PUBLISHED
from tests.support.simulation import Simulation, controls, raw, words
from tests.support.table import Table
from tests.support.traits import NAMES, nearest_seats

MOST_MOVES = 400


async def start(service: MatchService, game: str, names: int | None = None) -> Match:
    users = range(1, 1 + (names or nearest_seats(GAMES[game], 3)))
    return await begun(service, *users, game=game, names=dict(enumerate(NAMES, 1)))


async def taught(messages: Presenter, match: Match, user: int, locale: str = "en-GB", **how: bool) -> bool:
    """Whether that player's hand says what they are after; the signs are behind a button then."""
    seat, labels = match.seat_of(user), messages.labels(match, locale)
    view, drawn = messages.service.state(match).view(Seat(seat)), renderer(match.game)
    person = Person(user, "Ann", locale=locale, **how)
    content = await hand_message(messages, match, person)
    found = drawn.coach(view, labels) in "\n".join(read(content))
    behind = {button.id.action for row in content.rows if isinstance(row, tuple) for button in row if button.id}
    assert "signs" in behind or not found
    told = signs(messages, match, person)
    assert all(line in told for line in (*drawn.legend(view, labels).splitlines(), labels.say("lesson.off")))
    return found


async def decide(service: MatchService, match: Match, user: int | None = None) -> Match:
    """A move by a seat that is to move, that user's first if given; each seat makes its default move."""
    state = service.state(match)
    asked = sorted(state.to_move())
    seat = next((seat for seat in asked if match.chairs[seat].user == user), asked[0])
    mover = match.chairs[seat].player
    return (await service.play(match.id, mover, None, str(state.default_move(seat)))).match


@pytest.mark.parametrize("locale", ["en-GB", "de"])
@pytest.mark.parametrize("game", PUBLISHED)
async def test_the_first_turns_of_the_first_match_are_explained(
    service: MatchService, messages: Presenter, game: str, locale: str
) -> None:
    """And no later one; as many turns as the game says, however many moves they have."""
    match, drawn = await start(service, game), renderer(game)
    turns: list[str] = []
    for _ in range(MOST_MOVES):
        state = service.state(match)
        asked = [seat for seat in state.to_move() if match.chairs[seat].user == 1]
        if asked:
            token = service.turn(match, asked[0])
            turn = token.partition(".")[0] if drawn.SEVERAL_MOVES_A_TURN else token
            turns += [turn] if turn not in turns else []
            assert await taught(messages, match, 1, locale) == (len(turns) <= drawn.LESSON_TURNS), turns
            if len(turns) > drawn.LESSON_TURNS + 1:
                return
        match = await decide(service, match)
    raise AssertionError(f"{len(turns)} turns in {MOST_MOVES} moves")


@pytest.mark.parametrize("game", PUBLISHED)
async def test_a_player_who_has_played_before_is_not_taught(
    service: MatchService, messages: Presenter, game: str
) -> None:
    """Each by their own past: here the first player has played another match, also one that they have left."""
    first = await start(service, game)
    other = next(slug for slug in PUBLISHED if slug != game)
    assert await taught(messages, await start(service, other), 1), "another game is new"
    await Membership(service, Lobby(service)).give_seat_to_computer(first.id, 2)
    again = await begun(service, *(1, 2, 9, 10)[: max(3, nearest_seats(GAMES[game], 3))], game=game)
    told = {user: await taught(messages, again, user) for user in (1, 2, 9) if again.seat_of(user) is not None}
    assert told == {1: False, 2: False, 9: True}
    assert await taught(messages, await service.load(first.id), 1), "that was their first"


async def test_a_seat_taken_over_is_a_first_match_too(service: MatchService, messages: Presenter) -> None:
    match = await start(service, "sea_change")
    for _ in range(9):
        match = await decide(service, match)
    assert not await taught(messages, match, 2)
    await service.people.meet(7, "Gus")
    membership = Membership(service, Lobby(service))
    await membership.offer_seat(match.id, 2, True)
    seat = match.seat_of(2)
    match = await membership.take_seat(match.id, 7, "Gus", seat)
    assert await taught(messages, match, 7)


async def test_the_help_can_be_switched_off(service: MatchService, messages: Presenter) -> None:
    match = await start(service, "full_sun")
    assert await taught(messages, match, 1)
    assert not await taught(messages, match, 1, wants_help=False)


async def test_a_match_that_rests_or_is_over_teaches_nothing(service: MatchService, messages: Presenter) -> None:
    match = await start(service, "full_sun")
    assert not await taught(messages, replace(match, rests_since=5), 1)
    assert not await taught(messages, await Lobby(service).cancel(match.id, 1, manager=True), 1)


async def test_it_is_asked_for_once(
    service: MatchService, messages: Presenter, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The database tells once whether it is a player's first match, however often their hand is shown."""
    match, asked = await start(service, "sea_change"), 0
    reading = Database.read

    async def counted(self: Database, work: Callable[[sqlite3.Connection], Any]) -> Any:
        nonlocal asked
        asked += "is_first" in work.__qualname__
        return await reading(self, work)

    monkeypatch.setattr(Database, "read", counted)
    for _ in range(3):
        assert await taught(messages, match, 1)
    assert asked == 1
    assert not await taught(messages, match, 2, wants_help=False)
    assert asked == 1


async def test_in_direct_messages_and_in_the_channel(sim: Simulation) -> None:
    """Both hands teach; the switch in the settings ends it, and stays."""
    people = sim.join_server("alice", "bob")
    await Table.begin(sim, "full_circle", people, seed="taught")
    alice = people[0]
    aim = "**Aim:** get rid of your cards first."
    assert aim in " ".join(words(raw(sim.hand(alice)))) and aim in sim.said(
        await sim.press(alice, sim.board(), "My hand")
    )
    shown = await alice.slash(sim.channel, "settings")
    assert "Help in your first match of a game:** on" in sim.said(shown)
    assert "Help in your first match of a game:** off" in sim.said(
        await sim.press(alice, shown.response, "1/0/setting//help")
    )
    assert aim not in sim.said(await sim.press(alice, sim.board(), "My hand"))
    await sim.restart()
    person = await sim.service.people.get(alice.id)
    assert person is not None and not person.wants_help
    assert aim in sim.said(await sim.press(people[1], sim.board(), "My hand"))


@pytest.mark.parametrize("game", PUBLISHED)
async def test_a_second_hand_tells_too_what_the_first_move_brought(
    service: MatchService, messages: Presenter, game: str
) -> None:
    """The newest of it, in two small lines; among others *What happened?* says it in their place if it is much."""
    match = await start(service, game, min(seats for seats in GAMES[game].seats if seats > 1))
    labels, told = messages.labels(match, "en-GB"), set[bool]()
    for _ in range(MOST_MOVES):
        seat = next((seat for seat in service.state(match).to_move() if match.chairs[seat].user == 1), None)
        if seat is not None and await taught(messages, match, 1):
            since = since_own_move(await service.events_of(match), 1)
            happened = [it for it in since if not isinstance(it.event, renderer(game).DRAWN)]
            lines = [sentence(line) for line in sentences(messages.service.game(match), match, happened, seat, labels)]
            for shown in (match, replace(match, guild=0, channel=0)):
                hand = await hand_message(messages, shown, Person(1, "Ann", locale="en-GB"))
                if lines and len(lines[-1]) < MOST_TAUGHT:
                    told.add(shown.private)
                    assert (lines[-1] in "\n".join(read(hand))) != ("catch_up" in actions(hand))
                    assert not (shown.private and "catch_up" in actions(hand))
        if len(service.state(match).to_move()) and seat is not None and not await taught(messages, match, 1):
            break
        match = await decide(service, match)
    assert told == {True, False}


async def test_a_hand_tells_who_took_the_card_and_not_who_has_pledged(
    service: MatchService, messages: Presenter
) -> None:
    """The picture shows the seals."""
    match, others = await start(service, "siege_of_sunfall", 3), 0
    person = Person(1, "Ann", locale="en-GB", wants_help=False)
    for _ in range(40):
        seat = match.seat_of(1)
        state = service.state(match)
        view: Any = state.view(Seat(seat))
        if view.last_reveal is not None and view.sealed and seat in state.to_move():
            said = "\n".join(read(await hand_message(messages, match, person)))
            assert "has chosen" not in said
            others += "has chosen" in "\n".join(
                sentences(
                    messages.service.game(match),
                    match,
                    await service.events_of(match),
                    seat,
                    messages.labels(match, "en-GB"),
                )
            )
        other = next((at for at in sorted(state.to_move()) if at != seat), seat)
        match = await decide(service, match, match.chairs[other].user)
    assert others > 3


async def test_what_a_button_opens_in_a_hand_it_closes(sim: Simulation) -> None:
    alice, *others = sim.join_server("alice", "bob")
    await Table.begin(sim, "full_circle", (alice, *others), seed="taught")
    for button, page in (("Signs", "This help is for your first turns"), ("More …", "1/1/log//")):
        opened = []
        for _ in range(3):
            await sim.press(alice, sim.hand(alice), button)
            shown = raw(sim.hand(alice))
            opened.append(page in " ".join((*words(shown), *controls(shown))))
        assert opened == [True, False, True], button


async def test_a_sign_is_explained_when_it_first_occurs(
    service: MatchService, messages: Presenter, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a first match, once: a later decision with the same sign does not say it again. The log is read for new signs,
    and once more at the decision after them.
    """
    match, drawn = await start(service, "full_circle"), renderer("full_circle")
    labels, seen, told = messages.labels(match, "en-GB"), set[str](), 0
    log, reads, due = service.log, list[int](), True
    monkeypatch.setattr(service, "log", lambda number: reads.append(number) or log(number))
    for number in range(MOST_MOVES):
        state = service.state(match)
        if not match.running or number == MOST_MOVES - 1:
            break
        seat = min(state.to_move())
        if match.chairs[seat].user == 1:
            lines = drawn.legend(state.view(seat), labels).splitlines()
            said = "\n".join(read(await hand_message(messages, match, Person(1, "Ann", locale="en-GB"))))
            new = [line for line in lines if line not in seen]
            if number > 6:
                assert [line for line in lines if f"-# {line}" in said] == new
                assert not reads or new or due or len(state.legal_moves(seat)) == 1
                told += len(new)
                due = bool(new)
            reads.clear()
            seen |= {*lines}
        match = await decide(service, match)
    assert told, "such a sign came up"
