"""Which moves of a seat are best, by how much, what they bring and why: the advice that a player may ask for.

A search finds the best moves; fresh playouts then compare these, so that luck in the search is not taken for skill.
The figure that a hint shows first says which move is best: `Game.outlook`. Advice knows what its seat knows
(rules.core.search), and equal arguments give equal advice.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile
from typing import Generic, NamedTuple

from rules.core.game import Event, Game, M, Playout, S, Seat, V
from rules.core.search import Tried, mixtures, pick, play_on, random_numbers, sample_position

SEARCHED = 800
"""Playouts to find the best moves."""
COMPARED = 3
"""The most moves that are compared."""
REPEATED = 160
"""Playouts of each move that is compared."""
CERTAIN = 2.0
"""Standard errors by which a move must be behind before it counts as worse."""
LOOKED_AT = 320
"""Playouts to find a better move than one that was played."""
SURE = 3.0
"""Standard errors by which the played move must be behind the better one. A review looks at many decisions, so by
chance alone some seem bad.
"""
NEAR = 3
"""By how much figures may differ that look the same: in hundredths for a chance, in tenths for any other number."""
MUCH = 10
"""By how much the first figure of a much better move is greater, counted likewise."""
SHARE = "share"
"""The first figure of a move that is best made at times only, so that opponents cannot foresee it: how often."""
MOST_REASONS = 2
TELLING = 0.05
"""What comes about in less of the playouts is not told, nor a second fact that differs by less from another move."""

EQUAL, LITTLE, WORSE = range(3)
"""How good a move is beside the best one: as good by all that is shown, perhaps a little worse, or surely worse."""


class Reason(NamedTuple):
    """A fact that speaks for a move or against it."""

    key: str
    """That of the game's `reasons`."""
    share: float
    """In how many of the playouts it came about."""
    number: float
    """The number that belongs to it, on average over these."""


@dataclass(frozen=True, slots=True)
class Advised(Generic[M]):
    """A move that was compared."""

    turn: tuple[M, ...]
    """The move, and the moves of its turn that should follow it."""
    outlook: Mapping[str, float]
    """What the move brings on average, by the keys of the game's `outlook`."""
    behind: float
    """By how much its first figure is less than that of the best move."""
    verdict: int
    """EQUAL, LITTLE or WORSE."""
    reasons: tuple[Reason, ...]

    @property
    def move(self) -> M:
        """The move itself."""
        return self.turn[0]


def advise(game: Game[S, M, V], state: S, seat: Seat, seed: str) -> tuple[Advised[M], ...]:
    """Return the best moves of the seat, the best first. If others seal a move at the same time, those that it should
    mix come first. Raises ValueError if the seat has no legal move.
    """
    rivals = mixtures(game, state, seat, seed, SEARCHED)
    found = rivals.pop(seat)
    if rivals:
        found.sort(key=lambda tried: (-tried.share, -tried.mean))
    shares = {tried.move: tried.share for tried in _apart(game, state.redeal_unseen(seat, seed), found)}
    told = compare(game, state, seat, f"{seed} again", [*shares], rivals=rivals)

    def mixes(one: Advised[M]) -> bool:
        """What looks worse is not mixed in, even if the search has learned it."""
        beaten = any(all(other.outlook[key] > one.outlook[key] for key in one.outlook) for other in told)
        return shares[one.move] > 0 and one.verdict != WORSE and not beaten

    mixed = [*takewhile(mixes, told)]
    if len(mixed) < 2:
        return told
    most = sum(shares[one.move] for one in mixed)
    return (
        *[
            replace(one, outlook={SHARE: shares[one.move] / most, **one.outlook}, verdict=EQUAL)
            for one in sorted(mixed, key=lambda one: -shares[one.move])
        ],
        *[replace(one, verdict=max(one.verdict, LITTLE)) for one in told[len(mixed) :]],
    )


def _apart(game: Game[S, M, V], known: S, found: Sequence[Tried[M]]) -> list[Tried[M]]:
    """Return the first COMPARED of them that lead to different positions: the actions of a turn in another order are
    the same advice.
    """
    kept: list[Tried[M]] = []
    ends: list[S] = []
    for tried in found:
        if len(kept) < COMPARED and (end := game.carry_out(known, tried.move)) not in ends:
            kept.append(tried)
            ends.append(end)
    return kept


def better(game: Game[S, M, V], state: S, seat: Seat, seed: str, played: M) -> tuple[Advised[M], ...]:
    """Return a move that is surely much better than the played one, and the played one; () if the search finds none."""
    rivals = mixtures(game, state, seat, seed, LOOKED_AT)
    found = rivals.pop(seat)
    if any(tried.share and tried.move == played for tried in found):
        return ()
    best = found[0].move
    told = compare(game, state, seat, f"{seed} again", [best, played], SURE, rivals)
    much = MUCH / (10 if next(iter(told[0].outlook)) in game.amounts else 100)
    return told if told[0].move == best and told[1].verdict == WORSE and told[1].behind >= much else ()


@dataclass(slots=True)
class _Compared(Generic[M]):
    """A move, and what its playouts have brought so far."""

    turn: tuple[M, ...] = ()
    figures: dict[str, list[float]] = field(default_factory=dict)
    facts: dict[str, list[float]] = field(default_factory=dict)

    def reasons(self) -> dict[str, Reason]:
        """Return the facts by key, of facts whose names begin alike the most frequent one only."""
        found: dict[str, Reason] = {}
        for key, numbers in self.facts.items():
            kind, reason = key.partition("_")[0], Reason(key, len(numbers) / REPEATED, _mean(numbers))
            if kind not in found or reason.share > found[kind].share:
                found[kind] = reason
        return {reason.key: reason for reason in found.values() if reason.share >= TELLING}


def compare(
    game: Game[S, M, V],
    state: S,
    seat: Seat,
    seed: str,
    moves: Sequence[M],
    certain: float = CERTAIN,
    rivals: Rivals[M] | None = None,
) -> tuple[Advised[M], ...]:
    """Return these moves, the best first, after REPEATED playouts of each on the same redeals. `certain`: the standard
    errors by which a move must be behind the best one before it counts as worse. `rivals`: what those do who seal a
    move at the same time.
    """
    tries = [_Compared[M]() for _ in moves]
    for number in range(REPEATED):
        position = sample_position(game, state, seat, f"{seed} {number}")
        for tried, move in zip(tries, moves, strict=True):
            tried.turn = tuple(game.turn(position, move))
            playout = _played(game, position, tried.turn, f"{seed} {number} luck", rivals or {})
            for key, figure in game.outlook(playout, move).items():
                tried.figures.setdefault(key, []).append(figure)
            for key, figure in game.reasons(playout, move).items():
                tried.facts.setdefault(key, []).append(figure)
    tries.sort(key=lambda tried: _shown(game, tried), reverse=True)
    found: list[Advised[M]] = []
    for tried in tries:
        verdict, behind = _verdict(game, tries[0], tried, certain)
        # What stands below a worse move must not look better than that.
        verdict = max([verdict, *[advised.verdict for advised in found]])
        outlook = {key: _mean(figures) for key, figures in tried.figures.items()}
        found.append(Advised(tried.turn, outlook, behind, verdict, ()))
    facts = [tried.reasons() for tried in tries]

    def reasons(own: int) -> tuple[Reason, ...]:
        """Why a good move is good shows beside those that are not, and the other way round."""
        others = [at for at in range(len(tries)) if at != own]
        unlike = [at for at in others if (found[at].verdict == EQUAL) != (found[own].verdict == EQUAL)]
        return _telling(game, facts[own], [facts[at] for at in unlike or others])

    return tuple(replace(advised, reasons=reasons(at)) for at, advised in enumerate(found))


Rivals = Mapping[Seat, Sequence[Tried[M]]]
"""By seat: the moves that it mixes, and how often it makes each."""


def _played(game: Game[S, M, V], begin: S, turn: Sequence[M], seed: str, rivals: Rivals[M]) -> Playout[S]:
    own: list[Event] = []
    later: list[Event] = []
    after, luck = begin, random_numbers(f"{seed} rivals")
    moves = [*turn]
    for rival, tried in rivals.items():
        chosen = pick([each.move for each in tried], [each.share for each in tried], next(luck))
        legal = chosen in begin.legal_moves(rival)  # as the hands of this redeal allow
        moves.append(chosen if legal else game.rollout_move(begin, rival, next(luck)))
    # A player may change a sealed move only until the last one seals.
    for move in sorted(moves, key=lambda move: move.seat in begin.to_move()) if rivals else moves:
        after, events = after.apply(move)
        own += events
    return Playout(begin, after, play_on(game, begin, after, seed, later), own, later)


def _mean(numbers: Sequence[float]) -> float:
    return sum(numbers) / len(numbers)


def _shown(game: Game[S, M, V], tried: _Compared[M]) -> list[int]:
    """Return the figures as a hint shows them: chances in hundredths, other numbers in tenths."""
    return [round((10 if key in game.amounts else 100) * _mean(figures)) for key, figures in tried.figures.items()]


def _verdict(game: Game[S, M, V], best: _Compared[M], tried: _Compared[M], certain: float) -> tuple[int, float]:
    """Return how good the move is beside the best one, and by how much its first figure is less. The first figure that
    looks different decides, as it does for the order.
    """
    shown = [*zip(_shown(game, best), _shown(game, tried), strict=True)]
    decides = next((at for at, (one, other) in enumerate(shown) if one != other), 0)
    apart = [
        [one - other for one, other in zip(first, own, strict=True)]
        for first, own in zip(best.figures.values(), tried.figures.values(), strict=True)
    ]
    differences, behind = apart[decides], _mean(apart[decides])
    error = (sum([(one - behind) ** 2 for one in differences]) / (len(differences) - 1) / len(differences)) ** 0.5
    sure = behind > certain * error
    best_shown, own_shown = shown[decides]
    near = all(abs(one - other) <= NEAR for one, other in shown)
    worse = sure and best_shown - own_shown > NEAR
    return (WORSE if worse else LITTLE if sure or not near else EQUAL), _mean(apart[0])


def _telling(
    game: Game[S, M, V], own: Mapping[str, Reason], others: Sequence[Mapping[str, Reason]]
) -> tuple[Reason, ...]:
    """Return the facts of a move that tell most: those in which it differs most from one of the others, or else the
    first one of the game.
    """

    def apart(reason: Reason) -> float:
        return max([_apart_from(game, reason, other.get(reason.key)) for other in others], default=0.0)

    told = [reason for reason in own.values() if apart(reason) >= TELLING] or [*own.values()][:1]
    return tuple(sorted(told, key=apart, reverse=True)[:MOST_REASONS])


def _apart_from(game: Game[S, M, V], one: Reason, other: Reason | None) -> float:
    """Return by how much a fact of two moves differs in what is told of it."""
    if one.key in game.amounts:
        return 0.0 if other is None else min(0.25, abs(one.number - other.number) / 8)
    share, number = (other.share, other.number) if other else (0.0, 0.0)
    return abs(one.share - share) + min(0.25, abs(one.share * one.number - share * number) / 8)
