"""Moves that need no player: those of computers, of absent players, and of players without a choice. Also what thinks
for computers, and how long they take.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, Protocol

from cogs.match.advice import LESSON, scripted_move
from cogs.match.clocks import away
from cogs.match.service import MatchService, Played
from data.records.match import Match
from data.turns import Gate, asker
from rules.core.computer import VERSION, Level, Thought, choose, decision_seed
from rules.core.game import AnyGame, AnyState, Move, Seat

MADE_DO = "book"
"""Written in the log instead of a level if a computer's thinking failed and it made its default move."""
PACES: Mapping[Level, float] = {"beginner": 1.2, "friend": 1.2, "strong": 3.0}
"""Seconds that each move takes: more than a thought of that level needs on a machine that is not too busy."""
SLOW_FOR = 900.0
"""Seconds for which all play at the longer pace after a computer has thought beyond its pace."""
MOST_SLOWED = 4
"""The longest pace at which all play, in multiples of PACES."""

Begun = Callable[[], None]


class Thinker(Protocol):
    """Chooses computers' moves."""

    async def __call__(
        self, game: AnyGame, known: AnyState, seat: Seat, seed: str, level: Level, begun: Begun
    ) -> Thought[Any]:
        """Return the move that a computer of this level makes in this seat. `known` is a redeal for the seat. `begun`
        is called when the thinking begins.
        """
        ...


class ThreadThinker:
    """Chooses computers' moves in a thread of this process: one at a time, in turn among those for whom it is."""

    def __init__(self) -> None:
        self._gate = Gate()

    async def __call__(
        self, game: AnyGame, known: AnyState, seat: Seat, seed: str, level: Level, begun: Begun
    ) -> Thought[Any]:
        """Return the move, computed in a thread."""
        async with self._gate:
            begun()
            return Thought(await asyncio.to_thread(choose, game, known, seat, seed, level))


class Pace:
    """The pace of all computers: each move of a level takes equally long, so that the time tells nothing.
    `share` of the seconds of PACES; 0: each moves as soon as it can.

    A computer makes its move when its pace is over, even if the thinking was shorter: a move without a choice takes as
    long as a hard one. The pace counts from the moment when the thinking begins, because the wait before that depends
    on other tables. If the thinking takes longer than the pace, the move comes after two paces, or four, or eight. For
    a while all matches then play at that longer pace, up to four. So a machine that is too slow shows at most once in
    that while that a computer thought long, unless it takes far longer than people would wait.
    """

    def __init__(self, share: float = 1.0) -> None:
        self._share = share
        self._slow: dict[Level, tuple[float, float]] = {}
        """By level: its longer pace, and until when computers keep it, by the event loop's clock."""

    def seconds(self, level: Level) -> float:
        """Return how long each move of this level takes now."""
        pace, until = self._slow.get(level, (0.0, 0.0))
        return pace if asyncio.get_running_loop().time() < until else self._share * PACES[level]

    async def keep(self, level: Level, think: Callable[[Begun], Awaitable[Thought[Move]]]) -> Thought[Move]:
        """Return what `think` returns, when its pace is over. `think` calls its argument when it begins to think. A
        failed thought does not lengthen the pace.
        """
        time = asyncio.get_running_loop().time
        begun = time()

        def begin() -> None:
            nonlocal begun
            begun = time()

        thought, pace = await think(begin), self.seconds(level)
        took, usual = time() - begun, self._share * PACES[level]
        if 0 < usual < took and not thought.made_do:
            while pace < took:
                pace *= 2
            self._slow[level] = min(pace, MOST_SLOWED * usual), time() + SLOW_FOR
        await asyncio.sleep(begun + pace - time())
        return thought


class AutomaticMoves:
    """Makes these moves. `think` None: a thread of this process chooses computers' moves."""

    def __init__(self, service: MatchService, think: Thinker | None = None) -> None:
        self._service = service
        self._think = think or ThreadThinker()

    async def play(self, number: int, pace: Pace | None = None) -> Played | None:
        """Make one move that needs no player (see `next_seat`); return None if there is none to make.

        A computer chooses from a redeal that its seat cannot tell from the position. It keeps the pace (None: it moves
        at once), because its thinking time would reveal the number of its moves. It does not hold the match's lock
        meanwhile: if the seat then knows something else, or is not to move any more, what it has thought is void, and
        the next seat thinks. It thinks for who has opened the table, so that no one person's computers delay those of
        others.
        """
        service = self._service
        while True:
            match = await service.load(number)
            asker.set(match.host)
            seat = self.next_seat(match)
            if seat is None:
                return None
            if _decides_itself(match, seat):
                if (played := await self._play_forced(number)) is not None:
                    return played
                continue
            seed = decision_seed(match.seed, seat, service.turn(match, seat))
            known = service.state(match).redeal_unseen(seat, seed)
            level = match.level_of(seat)
            scripted = await self._scripted(match, known, seat)
            think = partial(self._think, service.game(match), known, seat, seed, level)
            if scripted is not None:
                think = partial(_known_before, scripted)
            thought = await (think(_nothing) if pace is None else pace.keep(level, think))
            maker = LESSON if scripted is not None else MADE_DO if thought.made_do else level
            async with service.deciding(number) as match:
                if self.next_seat(match) != seat or _decides_itself(match, seat):
                    continue
                same = decision_seed(match.seed, seat, service.turn(match, seat)) == seed
                if not same or match.level_of(seat) != level:
                    continue
                if service.state(match).redeal_unseen(seat, seed) != known:
                    continue
                played = await service.make(match, thought.move, computer=f"{maker} {VERSION}")
                return replace(played, made_do=thought.made_do)

    def next_seat(self, match: Match) -> Seat | None:
        """Return a seat to move that needs no player, or None.

        It is a computer's, an absent player's, or that of a player who has one legal move and has asked the bot to make
        such moves at this table. If every player is away, the match pauses: computers alone play no match. In a lesson
        computers wait for the learner, even if all decide at once: their moves would edit the text that is being read.
        """
        if not match.running:
            return None
        state, gone = self._service.state(match), {chair.number for chair in away(match)}
        if len(gone) == len(match.people):
            return None
        asked = sorted(state.to_move())
        waits = match.lesson and any(match.chairs[seat].user is not None for seat in asked)
        for seat in asked:
            computer = match.chairs[seat].user is None and not waits
            if computer or seat in gone or is_forced(self._service, match, seat):
                return seat
        return None

    async def _scripted(self, match: Match, known: AnyState, seat: Seat) -> Move | None:
        """Return the move that a lesson has this computer make; None if it thinks for itself."""
        if not match.lesson:
            return None
        return scripted_move(self._service.game(match), match, await self._service.log(match.id), known, seat)

    async def _play_forced(self, number: int) -> Played | None:
        """Make the only move of a player who has asked the bot to make such moves; return None if none is due now."""
        async with self._service.deciding(number) as match:
            seat = self.next_seat(match)
            if seat is None or not _decides_itself(match, seat):
                return None
            only = self._service.state(match).legal_moves(seat)[0]
            return await self._service.make(match, only, user=match.chairs[seat].user, forced=True)


def is_forced(service: MatchService, match: Match, seat: Seat) -> bool:
    """Return whether the bot makes the move of that seat, which is to move, because its player has only one."""
    if not match.chairs[seat].plays_forced or len(service.state(match).legal_moves(seat)) != 1:
        return False
    return not service.seat_may_take_back(match, seat)  # taking back would be a second choice


def _decides_itself(match: Match, seat: Seat) -> bool:
    """Return whether a player who is there sits in this seat, so that the bot makes only moves without a choice."""
    return match.chairs[seat].user is not None and seat not in {chair.number for chair in away(match)}


async def _known_before(move: Move, begun: Begun) -> Thought[Any]:
    """Return a move that needs no thought."""
    begun()
    return Thought(move)


def _nothing() -> None:
    """Do nothing."""
