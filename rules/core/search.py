"""Try each move on possible positions and say which did best.

`search` is flat Monte Carlo search with sequential halving. `mixed` is for moves that several seats seal at once: it
says how often to make each, so that knowing this computer does not help an opponent.

A playout takes a position that the seat cannot tell from the real one, makes a move in it, plays on by the game's
`rollout_move` as long as the game's `goes_on` says, and takes the value that `evaluate` returns. All moves are tried on
the same redeals with the same luck, as in duplicate play; then the worse half is dropped and the rest is tried further
(Karnin, Koren and Somekh, 2013).

A search knows what its seat knows: of the real position it reads only redeals and the seat's own moves. Its only source
of chance is the seed, and it ends after a number of playouts, so equal arguments give equal results on every machine.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import accumulate
from operator import mul
from struct import unpack
from typing import Generic

from rules.core.game import Event, Game, M, S, Seat, V
from rules.core.leads import chances

MOST_CANDIDATES = 24
"""Upper bound of the moves that one search tries."""

MOST_PLIES = 400
"""Upper bound of the plies of one playout: more than a round of any game has."""


@dataclass(slots=True)
class Tried(Generic[M]):
    """A move, and what it was worth in each playout. The n-th values of all moves share a redeal and its luck."""

    move: M
    values: list[float] = field(default_factory=list)
    total: float = 0.0
    share: float = 0.0
    """How often to make the move: 1 for the best one, unless several should be mixed."""
    lost: float = 0.0
    """How much less it brought than the best move, on average of the playouts that both have (`search` alone)."""

    @property
    def mean(self) -> float:
        """The mean value; 0 before the first playout."""
        return self.total / len(self.values) if self.values else 0.0


def search(game: Game[S, M, V], state: S, seat: Seat, seed: str, playouts: int) -> list[Tried[M]]:
    """Return the moves that were tried, the best first, after at most about that many playouts.

    Every move gets at least one playout. Raises ValueError if the seat has no legal move.
    """
    in_play = [Tried(move) for move in candidates_of(game, state, seat, seed)]
    out: list[Tried[M]] = []
    halvings = (len(in_play) - 1).bit_length()
    rounds = 0
    for _ in range(halvings):
        for _ in range(max(1, playouts // halvings // len(in_play))):
            position = sample_position(game, state, seat, f"{seed} {rounds}")
            for tried in in_play:
                end = play_on(game, position, game.carry_out(position, tried.move), f"{seed} {rounds} luck")
                value = game.evaluate(end, seat) + game.besides(end, seat) + game.prior(position, tried.move)
                tried.values.append(value)
                tried.total += value
            rounds += 1
        in_play.sort(key=lambda tried: -tried.total)
        half = (len(in_play) + 1) // 2
        out = in_play[half:] + out
        del in_play[half:]
    in_play[0].share = 1.0
    totals = [*accumulate(in_play[0].values)]
    for tried in out:
        count = len(tried.values)
        tried.lost = (totals[count - 1] - tried.total) / count
    return in_play + out


HABIT = 95
"""How much in 100 of a seat's first mixture is what `rollout_move` would do; the rest is spread over all its moves."""

HABITS = 64
"""Numbers for which a mixed search asks `rollout_move` what it would do."""

CAUTION = 0.006
"""A move that brings that much more than another is made e times as often, compared to the first mixture, once much has
been learned. With less caution the mixtures run after each other and after luck in the playouts. With more they stay
where they began, and a player who looks for one best move wins what the worse moves of the mixture give away.
"""

DOUBTED = 60
"""Before a seat has learned: so many turns count in which all its moves did equally well. The seat itself learns in
some 100 turns, so it is more cautious as long as it knows little.
"""

SELDOM = 0.05
"""A mixed search drops each move whose share is less than this part of the largest share."""

LEARNED, FEWER = 4, 3
"""For advice the seats learn so many times, with that part of the playouts each time."""


@dataclass(slots=True)
class _Side(Generic[M]):
    """A seat that seals a move, and how each move has done.

    What it learns holds it near its first mixture, as a magnet: without that, seats that learn against each other go
    round in circles (Sokota and others, A unified approach to reinforcement learning, quantal response equilibria, and
    two-player zero-sum games, 2023). The first mixture also says which of many equilibria is found.
    """

    seat: Seat
    tried: list[Tried[M]]
    first: list[float]
    """By move: its share of the first mixture."""
    turns: int = DOUBTED

    def mixture(self) -> list[float]:
        """Return the share of each move: that of the first mixture, times e for each CAUTION that it brings more."""
        better = chances([tried.total for tried in self.tried], CAUTION * self.turns)
        shares = list(map(mul, self.first, better))
        total = sum(shares)
        return [share / total for share in shares]

    def learn(self, values: list[float]) -> None:
        """Add a value of each move, all against the same moves of the others and with the same luck."""
        self.turns += 1
        for tried, value in zip(self.tried, values, strict=True):
            tried.values.append(value)
            tried.total += value

    def learned(self) -> list[Tried[M]]:
        """Return the moves with how often to make each, the most frequent first."""
        shares = self.mixture()
        kept = [share if share >= SELDOM * max(shares) else 0.0 for share in shares]
        for tried, share in zip(self.tried, kept, strict=True):
            tried.share = share / sum(kept)
        return sorted(self.tried, key=lambda tried: -tried.share)


def mixed(game: Game[S, M, V], state: S, seat: Seat, seed: str, playouts: int) -> list[Tried[M]]:
    """Return the moves of the seat that `mixtures` tried."""
    return mixtures(game, state, seat, seed, playouts)[seat]


def mixtures(
    game: Game[S, M, V], state: S, seat: Seat, seed: str, playouts: int, *, seats_in_order: bool = False
) -> dict[Seat, list[Tried[M]]]:
    """Return the moves that were tried, the most frequent first, after about that many playouts of the seat's own: by
    seat, for this seat and those that seal a move at the same time. All these learn in turn what to do against the
    others. The seat itself learns half of the time, so the rivals' moves get as many playouts again. If no other seat
    seals a move, this is `search`. `seats_in_order`: chance falls to the seats in their order and not first to those
    that have sealed, so it makes no difference who has. Raises ValueError if the seat has no legal move.
    """
    known = state.redeal_unseen(seat, seed)
    seats = _sealing(game, known, seat)
    moves = candidates_of(game, state, seat, seed)
    if len(moves) == 1 or not seats:
        return {seat: search(game, state, seat, seed, playouts)}
    own = _side(game, known, seat, moves)
    rivals = [_side(game, known, rival, candidates_of(game, known, rival, seed)) for rival in seats]
    awaited = known.to_move()
    # A player may change a sealed move only until the last player seals and all moves are opened.
    sides = sorted([own, *rivals], key=lambda side: side.seat in awaited)
    luck = random_numbers(f"{seed} mixed")
    turn = 0
    while playouts > 0:
        learner = rivals[turn // 2 % len(rivals)] if turn % 2 else own
        position = state.redeal_unseen(seat, f"{seed} {turn}")
        legal = {rival.seat: position.legal_moves(rival.seat) for rival in rivals}  # as the hands of this redeal allow
        chosen = {}
        for side in [own, *rivals] if seats_in_order else sides:
            chosen[side.seat] = pick([tried.move for tried in side.tried], side.mixture(), next(luck))
            if side is not own and chosen[side.seat] not in legal[side.seat]:
                chosen[side.seat] = game.rollout_move(position, side.seat, next(luck))
        values = []
        for tried in learner.tried:
            if learner is own or tried.move in legal[learner.seat]:
                chosen[learner.seat] = tried.move
            now = position
            for side in sides:
                now, _ = now.apply(chosen[side.seat])
            values.append(game.evaluate(play_on(game, position, now, f"{seed} {turn} luck"), learner.seat))
        learner.learn(values)
        playouts -= len(values) if learner is own else 0
        turn += 1
    return {side.seat: side.learned() for side in [own, *rivals]}


def foreseen(game: Game[S, M, V], state: S, seat: Seat, seed: str, playouts: int) -> dict[Seat, list[Tried[M]]]:
    """Return what `mixtures` finds, whichever seats have sealed already. If others seal a move, it is on average of
    LEARNED times: each may end in another balance of the moves, and the seat cannot know in which one its rivals are.
    """
    if not _sealing(game, state.redeal_unseen(seat, seed), seat):
        return mixtures(game, state, seat, seed, playouts)
    runs = [
        mixtures(game, state, seat, f"{seed} {time}", playouts // FEWER, seats_in_order=True) for time in range(LEARNED)
    ]
    found: dict[Seat, list[Tried[M]]] = {}
    for side in runs[0]:
        moves: dict[M, Tried[M]] = {}
        for tried in [tried for run in runs for tried in run[side]]:
            whole = moves.setdefault(tried.move, Tried(tried.move))
            whole.values += tried.values
            whole.total += tried.total
            whole.share += tried.share / LEARNED
        found[side] = sorted(moves.values(), key=lambda tried: (-tried.share, -tried.mean))
    return found


def _sealing(game: Game[S, M, V], known: S, seat: Seat) -> list[Seat]:
    """Return the other seats that seal a move at the same time."""
    return [other for other in map(Seat, range(game.seats[-1])) if other != seat and known.legal_moves(other)]


def _side(game: Game[S, M, V], known: S, seat: Seat, moves: list[M]) -> _Side[M]:
    """Return the seat before it learns: it mostly does what it would do in a playout."""
    usual = [game.rollout_move(known, seat, number) for number in range(HABITS)]
    first = [HABIT / 100 / HABITS * usual.count(move) + (1 - HABIT / 100) / len(moves) for move in moves]
    return _Side(seat, [Tried(move) for move in moves], first)


def pick(moves: list[M], shares: list[float], number: int) -> M:
    """Return the move that `number`, any below 2**32, selects; each is selected as often as its share says."""
    left = number / 2**32
    for move, share in zip(moves, shares, strict=True):
        left -= share
        if left < 0:
            return move
    return moves[shares.index(max(shares))]


def candidates_of(game: Game[S, M, V], state: S, seat: Seat, seed: str) -> list[M]:
    """Return the moves worth trying: those that the game names, or its legal moves, evenly spread if they are many.

    The default move is first, so it wins ties. Raises ValueError if the seat has no legal move.
    """
    moves = state.legal_moves(seat)
    if not moves:
        raise ValueError(f"seat {seat} has no legal move")
    if len(moves) > 2:
        moves = tuple(game.candidates(state.redeal_unseen(seat, seed), seat))
    return evenly_spread(moves, state.default_move(seat))


def evenly_spread(moves: tuple[M, ...], default: M) -> list[M]:
    """Return at most MOST_CANDIDATES moves: the default move, then moves evenly spread over the order of all."""
    rest = [move for move in moves if move != default]
    most = MOST_CANDIDATES - 1
    if len(rest) > most:
        rest = [rest[place * (len(rest) - 1) // (most - 1)] for place in range(most)]
    return [default, *rest]


def sample_position(game: Game[S, M, V], state: S, seat: Seat, seed: str) -> S:
    """Return a position that the seat cannot tell from this one, with the sealed moves drawn by `rollout_move`."""
    position = state.redeal_unseen(seat, seed)
    luck = random_numbers(f"{seed} sealed")
    for other in map(Seat, range(game.seats[-1])):
        if other != seat and other not in position.to_move() and position.legal_moves(other):
            position, _ = position.apply(game.rollout_move(position, other, next(luck)))
    return position


def play_on(game: Game[S, M, V], begin: S, now: S, seed: str, seen: list[Event] | None = None) -> S:
    """Return where a playout ends that began at `begin`. The lowest seat to move is first. `seen` gets what happens."""
    luck = random_numbers(seed)
    rollout_move, goes_on = game.rollout_move, game.goes_on
    for _ in range(MOST_PLIES):
        awaited = now.to_move()
        if not awaited or not goes_on(begin, now):
            break
        now, events = now.apply(rollout_move(now, min(awaited), next(luck)))
        if seen is not None:
            seen += events
    return now


def random_numbers(seed: str) -> Iterator[int]:
    """Yield numbers below 2**32, eight to each SHA-256("{seed}:{block}"): fair enough for playouts, and fast."""
    block = 0
    while True:
        yield from unpack(">8I", sha256(f"{seed}:{block}".encode()).digest())
        block += 1
