"""Moves that need no player: those of computers, of absent players, and of players who have named a move ahead or have
no choice. Also what thinks for computers, and how long they take.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple, Protocol

from cogs.match.advice import LESSON, scripted_move
from cogs.match.clocks import away
from cogs.match.positions import token
from cogs.match.refusals import Reason, Refused, check_playing, seat_or_refuse
from cogs.match.service import MatchService, Played
from data.records.match import Match
from data.turns import Gate, asker
from rules.core.coach import Advised, advise, better
from rules.core.computer import VERSION, Level, Thought, choose, decision_seed
from rules.core.game import AnyGame, AnyState, Move, Seat

MADE_DO = "book"
"""Written in the log instead of a level if a computer's thinking failed and it made its default move."""
PACES: Mapping[Level, float] = {"beginner": 1.2, "friend": 1.2, "strong": 1.5}
"""Seconds that each move takes: more than a thought of that level needs on a machine that is not too busy."""
FORCED = 1.2
"""The same at every level for a move of which all know that it is the only one, also while all play slowly."""
REDEALS = 8
"""All know that a move is the only one if it is in so many positions that an onlooker cannot tell from the real one."""
SLOW_FOR = 900.0
"""Seconds for which all play at the longer pace after a computer has thought beyond its pace."""
MOST_SLOWED = 4
"""The longest pace at which all play, in multiples of PACES."""

Begun = Callable[[], None]


class Thinker(Protocol):
    """Chooses computers' moves, and advises players. `known` is a redeal for the seat."""

    async def __call__(
        self, game: AnyGame, known: AnyState, seat: Seat, seed: str, level: Level, begun: Begun
    ) -> Thought[Any]:
        """Return the move that a computer of this level makes. `begun` is called when the thinking begins."""

    async def advise(self, game: AnyGame, known: AnyState, seat: Seat, seed: str) -> Sequence[Advised[Any]]:
        """Return the best moves, the best first; none if the thinking failed."""

    async def better(
        self, game: AnyGame, known: AnyState, seat: Seat, seed: str, played: Move
    ) -> Sequence[Advised[Any]]:
        """Return what is surely better, a move or a mixture of moves, and last the played one; () if nothing is, or if
        the thinking failed.
        """


class ThreadThinker:
    """Thinks in a thread of this process: about one position at a time, in turn among those for whom it is."""

    def __init__(self) -> None:
        self._gate = Gate()

    async def __call__(
        self, game: AnyGame, known: AnyState, seat: Seat, seed: str, level: Level, begun: Begun
    ) -> Thought[Any]:
        """Return the move, computed in a thread."""
        async with self._gate:
            begun()
            return Thought(await asyncio.to_thread(choose, game, known, seat, seed, level))

    async def advise(self, game: AnyGame, known: AnyState, seat: Seat, seed: str) -> Sequence[Advised[Any]]:
        """Return the best moves, the best first."""
        async with self._gate:
            return await asyncio.to_thread(advise, game, known, seat, seed)

    async def better(
        self, game: AnyGame, known: AnyState, seat: Seat, seed: str, played: Move
    ) -> Sequence[Advised[Any]]:
        """Return what is surely better, a move or a mixture of moves, and last the played one; () if nothing is."""
        async with self._gate:
            return await asyncio.to_thread(better, game, known, seat, seed, played)


class Pace:
    """The pace of all computers: each move of a level takes equally long, so that the time tells nothing.
    `share` of the seconds of PACES; 0: each moves as soon as it can.

    A computer makes its move when its pace is over, even if the thinking was shorter: a move without a choice takes as
    long as a hard one, unless all know that it is the only one. Moves that no other player can come between share a
    pace: those of a turn, and those that computers seal at once. The pace counts from the moment when the thinking
    begins, because the wait before that depends on other tables. If the thinking takes longer than the pace, the moves
    come after two paces, or four, or eight. For a while all matches then play at that longer pace, up to four; so many
    moves at once have a longer pace of their own. So a machine that is too slow shows at most once in that while that a
    computer thought long, unless it takes far longer than people would wait.
    """

    def __init__(self, share: float = 1.0) -> None:
        self._share = share
        self._slow: dict[tuple[Level, int], tuple[float, float]] = {}
        """By level and number of moves: their longer pace, and until when they keep it, by the event loop's clock."""

    def seconds(self, level: Level, moves: int = 1, forced: bool = False) -> float:
        """Return how long so many moves of this level take now. `forced`: all know that each is the only one."""
        if forced:
            return self._share * FORCED
        pace, until = self._slow.get((level, moves), (0.0, 0.0))
        return pace if asyncio.get_running_loop().time() < until else self._share * PACES[level]

    async def keep(self, think: Callable[[Begun], Awaitable[Sequence[Decision]]]) -> Sequence[Decision]:
        """Return what `think` returns, when its pace is over: that of the slowest of its levels. `think` calls its
        argument when it begins to think of a move. A failed thought does not lengthen the pace.
        """
        time = asyncio.get_running_loop().time
        begun: list[float] = []
        decisions, since = await think(lambda: begun.append(time())), time()
        if not decisions:
            return decisions
        first, level = begun[0] if begun else since, max((each.level for each in decisions), key=PACES.__getitem__)
        took, usual = since - first, self._share * PACES[level]
        pace = self.seconds(level, len(decisions), all(decision.forced for decision in decisions))
        if 0 < usual < took and not any(decision.thought.made_do for decision in decisions):
            while pace < took:
                pace *= 2
            self._slow[level, len(decisions)] = min(pace, MOST_SLOWED * usual), time() + SLOW_FOR
        await asyncio.sleep(first + pace - time())
        return decisions


class Decision(NamedTuple):
    """What a computer has thought of in a position."""

    seat: Seat
    level: Level
    seed: str
    known: AnyState
    """What the seat knew: a redeal that it cannot tell from the position."""
    forced: bool
    """Whether all know that the move is the only one."""
    maker: str
    """Its name in the log."""
    thought: Thought[Any]


class AutomaticMoves:
    """Makes these moves. `think` None: a thread of this process chooses computers' moves."""

    def __init__(self, service: MatchService, think: Thinker | None = None) -> None:
        self._service = service
        self._think = think or ThreadThinker()

    async def play(self, number: int, pace: Pace | None = None) -> Played | None:
        """Make a move that needs no player (see `next_seat`); return None if there is none to make. With a pace, make
        also the moves that follow it and that no other player can come between, and return the last of them.

        A computer chooses from a redeal that its seat cannot tell from the position. It keeps the pace (None: it moves
        at once), because its thinking time would reveal the number of its moves. It does not hold the match's lock
        meanwhile: if the seat then knows something else, or is not to move any more, what it has thought is void, and
        the next seat thinks. It thinks for who has opened the table, so that no one person's computers delay those of
        others.
        """
        while True:
            match = await self._service.load(number)
            asker.set(match.host)
            seat = self.next_seat(match)
            if seat is None:
                return None
            if _decides_itself(match, seat):
                if (played := await self._play_forced(number)) is not None:
                    return played
                continue
            if pace is None:
                decisions: Sequence[Decision] = [
                    await self._decide(match, self._service.state(match), seat, lambda: None)
                ]
            else:
                decisions = await pace.keep(partial(self._think_ahead, match))
            made = None
            for decision in decisions:
                if (played := await self._make(number, decision)) is None:
                    break
                made = played
            if made is not None:
                return made

    async def _think_ahead(self, match: Match, begun: Begun) -> Sequence[Decision]:
        """Return the next computer's decision, and those after it that no other player can come between: the rest of
        its turn, and what other computers seal at the same time. In a lesson each move stands alone.
        """
        state, decisions = self._service.state(match), list[Decision]()
        while (seat := self._next_seat(match, state)) is not None and not _decides_itself(match, seat):
            decisions.append(decision := await self._decide(match, state, seat, begun))
            before, (state, _) = state.to_move(), state.apply(decision.thought.move)
            same_turn = seat in state.to_move() and state.may_take_back(seat)
            if match.lesson or not (same_turn or (state.to_move() and state.to_move() < before)):
                break
        return decisions

    async def _decide(self, match: Match, state: AnyState, seat: Seat, begun: Begun) -> Decision:
        """Return what the computer in this seat decides in that position of the match."""
        seed = decision_seed(match.seed, seat, token(match, state, seat))
        known, level, maker = state.redeal_unseen(seat, seed), match.level_of(seat), LESSON
        scripted = await self._scripted(match, known, seat)
        if scripted is not None:
            begun()
            thought = Thought[Any](scripted)
        else:
            thought = await self._think(self._service.game(match), known, seat, seed, level, begun)
            maker = MADE_DO if thought.made_do else level
        return Decision(seat, level, seed, known, all_know_it(state, seat, seed), f"{maker} {VERSION}", thought)

    async def _make(self, number: int, decision: Decision) -> Played | None:
        """Make the move that was decided; return None if the seat knows something else now, or has not to move."""
        seat, service = decision.seat, self._service
        async with service.deciding(number) as match:
            if self.next_seat(match) != seat or _decides_itself(match, seat) or match.level_of(seat) != decision.level:
                return None
            if decision_seed(match.seed, seat, service.turn(match, seat)) != decision.seed:
                return None
            if service.state(match).redeal_unseen(seat, decision.seed) != decision.known:
                return None
            played = await service.make(match, decision.thought.move, computer=decision.maker)
            return replace(played, made_do=decision.thought.made_do)

    def next_seat(self, match: Match) -> Seat | None:
        """Return a seat to move that needs no player, or None.

        It is a computer's, an absent player's, or that of a player who has named a legal move ahead, or has one legal
        move and has asked the bot to make such moves at this table. If every player is away, the match pauses:
        computers alone play no match. In a lesson computers wait for the learner, even if all decide at once: their
        moves would edit the text that is being read.
        """
        return self._next_seat(match, self._service.state(match)) if match.running else None

    def _next_seat(self, match: Match, state: AnyState) -> Seat | None:
        """Return the same for a position of a running match."""
        gone = {chair.number for chair in away(match)}
        if len(gone) == len(match.people):
            return None
        asked = sorted(state.to_move())
        waits = match.lesson and any(match.chairs[seat].user is not None for seat in asked)
        for seat in asked:
            computer = match.chairs[seat].user is None and not waits
            if computer or seat in gone or own_move(self._service, match, seat) is not None:
                return seat
        return None

    async def _scripted(self, match: Match, known: AnyState, seat: Seat) -> Move | None:
        """Return the move that a lesson has this computer make; None if it thinks for itself."""
        if not match.lesson:
            return None
        return scripted_move(self._service.game(match), match, await self._service.log(match.id), known, seat)

    async def _play_forced(self, number: int) -> Played | None:
        """Make the move of a player who has named it ahead, or has only one; return None if none is due now."""
        async with self._service.deciding(number) as match:
            seat = self.next_seat(match)
            if seat is None or not _decides_itself(match, seat):
                return None
            move = own_move(self._service, match, seat)
            return await self._service.make(match, move, user=match.chairs[seat].user, forced=True)


def own_move(service: MatchService, match: Match, seat: Seat) -> Move | None:
    """Return the move that the bot makes for the player of that seat, which is to move: the one that they have named
    ahead, if it is legal, or else the only one, if they want that. None: the player decides.
    """
    chair = match.chairs[seat]
    if not chair.plays_forced and chair.ahead is None:
        return None
    moves: Sequence[Move] = service.state(match).legal_moves(seat)
    if (named := next((move for move in moves if str(move) == chair.ahead), None)) is not None:
        return named
    alone = chair.plays_forced and len(moves) == 1 and not service.seat_may_take_back(match, seat)  # a second choice
    return moves[0] if alone else None


def may_name(service: MatchService, match: Match, seat: Seat) -> Sequence[Move]:
    """Return the moves that the player of that seat may name ahead now: at a table, while others are to move."""
    if not match.running or match.private or seat in {chair.number for chair in away(match)}:
        return ()
    state = service.state(match)
    return () if seat in state.to_move() else service.game(match).ahead(state, seat)


async def name_ahead(service: MatchService, number: int, user: int, text: str | None) -> Match:
    """Store the move that the bot shall make for a player at their next decision if it is legal then; None: withdraw
    it. Refused: the player does not sit there, the match is over, or the move cannot be named now.
    """
    async with service.deciding(number) as match:
        seat = Seat(seat_or_refuse(match, user))
        check_playing(match)
        if text is not None and text not in map(str, may_name(service, match, seat)):
            raise Refused(Reason.NOT_AHEAD)
        chairs = (replace(chair, ahead=text) if chair.number == seat else chair for chair in match.chairs)
        return await service.save(replace(match, chairs=tuple(chairs)))


def _decides_itself(match: Match, seat: Seat) -> bool:
    """Return whether a player who is there sits in this seat, so that the bot makes only moves without a choice."""
    return match.chairs[seat].user is not None and seat not in {chair.number for chair in away(match)}


def all_know_it(state: AnyState, seat: Seat, seed: str) -> bool:
    """Return whether this seat has one legal move in all positions that an onlooker cannot tell from this one. It looks
    at some of them, and never at this one: so what it says tells nothing.
    """
    redeals = (state.redeal_unseen(None, f"{seed} {number}") for number in range(REDEALS))
    return all(len(redeal.legal_moves(seat)) == 1 for redeal in redeals)
