"""What a phone shows of a table and of a newcomer's hand without scrolling, measured in Chromium: see
tests/support/phone.py.

Skipped without a browser, as the tests in tests/local are.
"""

from __future__ import annotations

import itertools
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from cogs.match.advice import Discouraged, check_advised, progress_of
from cogs.match.automatic_moves import AutomaticMoves
from cogs.match.lessons import Lessons
from cogs.match.lobby import Lobby
from cogs.match.service import MatchService
from cogs.messages.content import Content
from cogs.messages.end import end_message
from cogs.messages.hand import hand_message
from cogs.messages.lesson import discouraged
from cogs.messages.presenter import Presenter
from cogs.messages.table import table_message
from data.content.texts import languages
from data.records.match import Match, Status
from data.records.proposals import TableVote
from rules import GAMES, LESSONS
from rules.core.lesson import OTHER
from tests.cogs.test_largest import largest, positions
from tests.support.matches import begun, mover, play, play_on
from tests.support.phone import SCREEN, Phone
from tests.support.simulation import Simulation

OUTPUT = Path(__file__).parents[1] / "output" / "phone"
"""Where screenshots are left."""
NAMES = ("Maximiliane", "Bartholomäus", "Anne-Sophie", "Konstantin", "Wilhelmina", "Theodor B.", "Nightingale", "Ü. K.")
"""Long names, as people have them. tests/cogs/test_largest.py has the longest possible ones."""
TABLE = 1.5
"""The most screens that a running table takes."""
FIRST_HAND = 700
"""The most pixels of a hand in a lesson and in the first turns of a newcomer: what a phone shows between its bars."""
LATER_HAND, WITH_BOTH = 800, 900
"""The most pixels of a hand with the end of a round, a vote or a lesson's answer in it, and with the first two."""
ENDED = 740
"""The most pixels of a hand that tells the end of a match with its result first."""
TURNS = 2
"""Hands are measured at so many decisions."""


async def tables(sim: Simulation, match: Match) -> AsyncIterator[Content]:
    """The table at some positions, each with an open vote, and in the end the message that tells it."""
    async for found in positions(sim, match, Random(match.game)):
        (first, *_) = [chair.user for chair in found.people]
        yield await table_message(sim.app.messages, found, {first or 0: "pause"} if found.open else {})
        if found.status is Status.OVER:
            yield await end_message(sim.app.messages, found)


@pytest.mark.games("game", short=[], long=GAMES)
async def test_a_table_takes_a_screen_and_a_half_at_most(sim: Simulation, phone: Phone, game: str) -> None:
    match = await largest(sim, game, NAMES)
    shown = [content async for content in tables(sim, match)]
    found = await phone.heights(shown, OUTPUT / game)
    assert max(found) <= TABLE * SCREEN, found
    assert len(found) > 3


async def measured(phone: Phone, presenter: Presenter, shown: Sequence[Content], name: str) -> list[int]:
    """Return the heights of these messages in pixels, as a browser lays them out."""
    presenter.drawing.close()
    found = await phone.heights(shown, OUTPUT / name)
    print(name, found)
    return found


async def first_hands(service: MatchService, presenter: Presenter, game: str) -> AsyncIterator[Content]:
    """The hands of newcomers who are to move, in each language, at the smallest and at the largest table."""
    users, seats = itertools.count(1_000), GAMES[game].seats
    for locale, count in itertools.product(languages(), (min(seat for seat in seats if seat > 1), max(seats))):
        people = [next(users) for _ in range(count)]
        match = await begun(service, *people, game=game, names=dict(zip(people, NAMES, strict=False)))
        for _ in range(TURNS):
            _, user = mover(service, match)
            person = await service.people.get(user)
            content = await hand_message(presenter, match, replace(person, locale=locale))
            yield replace(content, user=None)
            match = await play(service, match)


@pytest.mark.games("game", short=["sea_change"], long=GAMES)
async def test_a_first_hand_takes_one_screen(service: MatchService, phone: Phone, game: str) -> None:
    presenter = Presenter(service, Lobby(service))
    shown = [content async for content in first_hands(service, presenter, game)]
    found = await measured(phone, presenter, shown, f"{game} first hands")
    assert max(found) <= FIRST_HAND, found


async def told_hands(service: MatchService, presenter: Presenter, game: str) -> AsyncIterator[tuple[Content, bool]]:
    """Hands of newcomers, in each language: at the first decision with a vote, and at the end of a round without and
    with one, each with whether it has both.
    """
    count, random = min(4, max(GAMES[game].seats)), Random(f"told {game}")
    people = list(range(1_000, 1_000 + count))
    match = await begun(service, *people, game=game, names=dict(zip(people, NAMES, strict=False)))
    ends = False
    while True:
        _, user = mover(service, match)
        other = next(person for person in people if person != user)
        for asked, locale in itertools.product((False, True) if ends else (True,), languages()):
            person = await service.people.get(user)
            now = replace(match, proposals=(TableVote("pause", other, 1, None),) if asked else ())
            content = await hand_message(presenter, now, replace(person, locale=locale))
            assert ends == any(getattr(part, "name", "") == "round.png" for part in content.parts)
            yield replace(content, user=None), ends and asked
        if ends:
            return
        while not ends:
            match = await play_on(service, match, 1, random=random)
            story = await service.events_of(match)
            newest = [logged for logged in story if logged.move == story[-1].move]
            ends = presenter.round_story(match, presenter.labels(match), story, newest) is not None


@pytest.mark.games("game", short=[], long=GAMES)
async def test_a_hand_with_a_vote_or_the_end_of_a_round_takes_one_screen(
    service: MatchService, phone: Phone, game: str
) -> None:
    presenter = Presenter(service, Lobby(service))
    shown = [found async for found in told_hands(service, presenter, game)]
    found = await measured(phone, presenter, [content for content, _ in shown], f"{game} told hands")
    for has_both, most in ((False, LATER_HAND), (True, WITH_BOTH)):
        assert max(height for height, (_, both) in zip(found, shown, strict=True) if both == has_both) <= most, found


async def ended_hands(service: MatchService, presenter: Presenter, game: str) -> AsyncIterator[Content]:
    """The hands of a winner and of another player at the end of a match, in each language, at two tables."""
    for count in sorted({min(4, max(GAMES[game].seats)), max(GAMES[game].seats)}):
        people = list(range(1_000 * count, 1_000 * count + count))
        match = await begun(service, *people, game=game, names=dict(zip(people, NAMES, strict=False)))
        match = await play_on(service, match, random=Random(f"ended {game}"))
        outcome = service.state(match).outcome()
        seats = min(outcome.winners), next(seat for seat in range(count) if seat not in outcome.winners)
        for locale, seat in itertools.product(languages(), seats):
            person = await service.people.get(people[seat])
            content = await hand_message(presenter, match, replace(person, locale=locale))
            yield replace(content, user=None)


@pytest.mark.games("game", short=["sea_change"], long=GAMES)
async def test_the_end_of_a_match_in_a_hand_takes_one_screen(service: MatchService, phone: Phone, game: str) -> None:
    presenter = Presenter(service, Lobby(service))
    shown = [content async for content in ended_hands(service, presenter, game)]
    found = await measured(phone, presenter, shown, f"{game} ended hands")
    assert max(found) <= ENDED, found


async def lesson_hands(service: MatchService, presenter: Presenter, game: str) -> AsyncIterator[tuple[Content, bool]]:
    """Each step of the game's lesson, in each language, for a learner who does as it advises, and the answer to a move
    that is as good but with which the lesson does not go on; each with whether it is such an answer.
    """
    computers = AutomaticMoves(service)
    for user, locale in enumerate(languages(), 1_000):
        await service.people.meet(user, NAMES[0])
        person = await service.people.get(user)
        match, _ = await Lessons(service).begin(game, user, NAMES[0], locale)
        while match.open:
            while computers.next_seat(match) is not None:
                await computers.play(match.id)
                match = await service.load(match.id)
            at = progress_of(GAMES[game], match, await service.log(match.id)) if match.open else None
            if at is not None:
                content = await hand_message(presenter, match, replace(person, locale=locale))
                yield replace(content, user=None), False
                state, turn = service.state(match), service.turn(match, LESSONS[game].seat)
                for move in state.legal_moves(LESSONS[game].seat):
                    try:
                        check_advised(GAMES[game], match, await service.log(match.id), state, move)
                    except Discouraged as error:
                        if error.why == OTHER:
                            reason, anyway = discouraged(presenter, match, replace(person, locale=locale), error)
                            who = replace(person, locale=locale)
                            answer = await hand_message(presenter, match, who, reason=reason, passing=(anyway,))
                            yield replace(answer, user=None), True
                            break
                match = (await service.play(match.id, user, turn, str(at.advised))).match


@pytest.mark.games("game", short=["sea_change"], long=GAMES)
async def test_a_step_of_a_lesson_takes_one_screen(service: MatchService, phone: Phone, game: str) -> None:
    presenter = Presenter(service, Lobby(service))
    shown = [found async for found in lesson_hands(service, presenter, game)]
    found = await measured(phone, presenter, [content for content, _ in shown], f"{game} lesson")
    for height, (_, answers) in zip(found, shown, strict=True):
        assert height <= (LATER_HAND if answers else FIRST_HAND), found
