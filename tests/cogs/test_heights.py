"""What a phone shows of a table and of a newcomer's hand without scrolling, measured in Chromium: see
tests/support/phone.py.

Skipped without a browser, as the tests in tests/local are.
"""

from __future__ import annotations

import itertools
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from cogs.match.advice import Discouraged, check_advised, progress_of
from cogs.match.alone import Lessons
from cogs.match.automatic_moves import AutomaticMoves
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


async def begun_by(service: MatchService, game: str, count: int, first: int = 1_000) -> Match:
    people = range(first, first + count)
    return await begun(service, *people, game=game, names=dict(zip(people, NAMES, strict=False)))


async def hand(presenter: Presenter, match: Match, user: int, locale: str, **how: Any) -> Content:
    """This player's hand in that language."""
    person = await presenter.service.people.get(user)
    return replace(await hand_message(presenter, match, replace(person, locale=locale), **how), user=None)


Hands = AsyncIterator[tuple[Content, int]]
"""Hands, each with the most pixels that it may take."""


async def first_hands(presenter: Presenter, game: str) -> Hands:
    """The hands of newcomers who are to move, in each language, at the smallest and at the largest table."""
    service, seats, first = presenter.service, GAMES[game].seats, itertools.count(1_000, 100)
    for locale, count in itertools.product(languages(), (min(seat for seat in seats if seat > 1), max(seats))):
        match = await begun_by(service, game, count, next(first))
        for _ in range(TURNS):
            yield await hand(presenter, match, mover(service, match)[1], locale), FIRST_HAND
            match = await play(service, match)


async def told_hands(presenter: Presenter, game: str) -> Hands:
    """Hands of newcomers, in each language: at the first decision with a vote, and at the end of a round without and
    with one.
    """
    service, random = presenter.service, Random(f"told {game}")
    match = await begun_by(service, game, min(4, max(GAMES[game].seats)))
    ends = False
    while True:
        _, user = mover(service, match)
        other = next(chair.player for chair in match.people if chair.user != user)
        for asked, locale in itertools.product((False, True) if ends else (True,), languages()):
            now = replace(match, proposals=(TableVote("pause", other, 1, None),) if asked else ())
            content = await hand(presenter, now, user, locale)
            assert ends == any(getattr(part, "name", "") == "round.png" for part in content.parts)
            yield content, WITH_BOTH if ends and asked else LATER_HAND
        if ends:
            return
        while not ends:
            match = await play_on(service, match, 1, random=random)
            story = await service.events_of(match)
            newest = [logged for logged in story if logged.move == story[-1].move]
            ends = presenter.round_story(match, presenter.labels(match), story, newest) is not None


async def ended_hands(presenter: Presenter, game: str) -> Hands:
    """The hands of a winner and of another player at the end of a match, in each language, at two tables."""
    service = presenter.service
    for count in sorted({min(4, max(GAMES[game].seats)), max(GAMES[game].seats)}):
        match = await begun_by(service, game, count, 1_000 * count)
        match = await play_on(service, match, random=Random(f"ended {game}"))
        winners = service.state(match).outcome().winners
        seats = min(winners), next(seat for seat in range(count) if seat not in winners)
        for locale, seat in itertools.product(languages(), seats):
            yield await hand(presenter, match, match.chairs[seat].player, locale), ENDED


async def lesson_hands(presenter: Presenter, game: str) -> Hands:
    """Each step of the game's lesson, in each language, for a learner who does as it advises, and the answer to a move
    that is as good but with which the lesson does not go on.
    """
    service, lesson = presenter.service, LESSONS[game]
    computers = AutomaticMoves(service)
    for user, locale in enumerate(languages(), 1_000):
        person = replace(await service.people.meet(user, NAMES[0]), locale=locale)
        match, _ = await Lessons(service).begin(game, user, NAMES[0], locale)
        while match.open:
            while computers.next_seat(match) is not None:
                await computers.play(match.id)
                match = await service.load(match.id)
            at = progress_of(GAMES[game], match, await service.log(match.id)) if match.open else None
            if at is None:
                continue
            yield await hand(presenter, match, user, locale), FIRST_HAND
            state, turn = service.state(match), service.turn(match, lesson.seat)
            for move in state.legal_moves(lesson.seat):
                try:
                    check_advised(GAMES[game], match, await service.log(match.id), state, move)
                except Discouraged as error:
                    if error.why == OTHER:
                        reason, anyway = discouraged(presenter, match, person, error)
                        yield await hand(presenter, match, user, locale, reason=reason, passing=(anyway,)), LATER_HAND
                        break
            match = (await service.play(match.id, user, turn, str(at.advised))).match


async def check(service: MatchService, phone: Phone, hands: Callable[[Presenter, str], Hands], game: str) -> None:
    """No hand takes more pixels than it may, as a browser lays it out."""
    presenter = Presenter(service, Lobby(service))
    shown = [found async for found in hands(presenter, game)]
    presenter.drawing.close()
    found = await phone.heights([content for content, _ in shown], OUTPUT / f"{game} {hands.__name__}")
    print(found)
    assert all(height <= most for height, (_, most) in zip(found, shown, strict=True)), found


@pytest.mark.games("game", short=["sea_change"], long=GAMES)
async def test_a_first_hand_takes_one_screen(service: MatchService, phone: Phone, game: str) -> None:
    await check(service, phone, first_hands, game)


@pytest.mark.games("game", short=[], long=GAMES)
async def test_a_hand_with_a_vote_or_the_end_of_a_round_takes_one_screen(
    service: MatchService, phone: Phone, game: str
) -> None:
    await check(service, phone, told_hands, game)


@pytest.mark.games("game", short=["sea_change"], long=GAMES)
async def test_the_end_of_a_match_in_a_hand_takes_one_screen(service: MatchService, phone: Phone, game: str) -> None:
    await check(service, phone, ended_hands, game)


@pytest.mark.games("game", short=["sea_change"], long=GAMES)
async def test_a_step_of_a_lesson_takes_one_screen(service: MatchService, phone: Phone, game: str) -> None:
    await check(service, phone, lesson_hands, game)
