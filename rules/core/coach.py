"""Which moves of a seat are best, by how much, what they bring and why: the advice that a player may ask for.

A search finds the best moves; fresh playouts then compare these, so that luck in the search is not taken for skill.
The figure that a hint shows first says which move is best: `Game.outlook`. Advice knows what its seat knows
(rules.core.search), and equal arguments give equal advice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, takewhile
from operator import gt, lt
from typing import Generic

from rules.core.game import Event, Game, M, Playout, S, Seat, V
from rules.core.search import Tried, foreseen, pick, play_on, random_numbers, sample_position
from rules.core.telling import NEAR, NOTHING_TELLS, Reason, telling

SEARCHED = 800
"""Playouts to find the best moves."""
LOOKED_AT = 160
"""Playouts, of the search and of each move, for a first look whether a move better than the played one may exist."""
COMPARED = 3
"""The most moves that are compared."""
REPEATED = 480
"""Playouts of each move that is compared: two chances that differ by TELLING are then apart by at least three standard
errors, so that what tells moves apart is not luck.
"""
CERTAIN = 2.0
"""Standard errors by which a move must be behind before it counts as worse."""
SURE = 3.0
"""Standard errors by which the played move must be behind: of many decisions some seem bad by chance."""
MUCH = 10
"""By how much the first figure of a much better move is greater, counted as for NEAR."""
SHARE = "share"
"""The first figure of a move that is best made at times only, so that opponents cannot foresee it: how often, in whole
tenths.
"""
NEARLY = 0.994
"""A chance that all playouts agree on is told as at most this, unless none goes on after the turn."""
RARELY = 0.1
"""A move that should be made less often is not advised as part of a mixture."""

EQUAL, LITTLE, WORSE = range(3)
"""How good a move is beside the best one: as good by all that is shown, perhaps a little worse, or surely worse."""


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
    mix come first. Who has sealed already changes nothing. Raises ValueError if the seat has no legal move.
    """
    return _advise(game, state, seat, seed, *_searched(game, state, seat, seed, SEARCHED))


def _searched(game: Game[S, M, V], state: S, seat: Seat, seed: str, playouts: int) -> tuple[Rivals[M], list[Tried[M]]]:
    """Return what those do who seal a move at the same time, and the seat's own moves, the best first."""
    rivals = foreseen(game, state, seat, seed, playouts)
    return rivals, rivals.pop(seat)


def _advise(
    game: Game[S, M, V], state: S, seat: Seat, seed: str, rivals: Rivals[M], found: Sequence[Tried[M]]
) -> tuple[Advised[M], ...]:
    known = state.redeal_unseen(seat, seed)
    # A player who is told to commit more asks what the least would have brought.
    least = [tried for tried in found if rivals and tried.move == known.legal_moves(seat)[0]]
    shares = {tried.move: tried.share for tried in [*_apart(game, known, found), *least]}
    return compare(game, state, seat, f"{seed} again", [*shares], rivals=rivals, shares=shares if rivals else {})


def _mixed(game: Game[S, M, V], told: Sequence[Advised[M]], shares: Mapping[M, float]) -> list[Advised[M]]:
    """Return the moves with how often to make those that should be mixed; these come first. What looks as good as
    these, but is not mixed in, is left out.
    """
    looks = [_written(game, one.outlook) for one in told]

    def mixes(one: Advised[M]) -> bool:
        """What looks worse than a move that should be made less often is not mixed in, even if the search has learned
        it, nor what it has learned to do rarely.
        """
        share, own = shares.get(one.move, 0.0), _written(game, one.outlook)
        rarer = [look for other, look in zip(told, looks, strict=True) if shares.get(other.move, 0.0) < share]
        beaten = any(look[0] >= own[0] and sum(map(gt, look, own)) > sum(map(lt, look, own)) for look in rarer)
        return share >= RARELY and one.verdict != WORSE and not beaten

    mixed = [*takewhile(mixes, told)]
    if len(mixed) < 2:
        return [*told]
    mixed.sort(key=lambda one: -shares[one.move])
    most = sum(shares[one.move] for one in mixed)
    tenths = _tenths([shares[one.move] / most for one in mixed])
    rest = zip(told[len(mixed) :], looks[len(mixed) :], strict=True)
    return [
        *[
            replace(one, outlook={SHARE: tenth / 10, **one.outlook}, verdict=EQUAL)
            for one, tenth in zip(mixed, tenths, strict=True)
        ],
        *[one for one, own in rest if one.verdict != EQUAL and own not in looks[: len(mixed)]],
    ]


def _tenths(shares: Sequence[float]) -> list[int]:
    """Return these shares of 1 in tenths, 10 in all: rounded down, but for those that lose most by it."""
    tenths = [int(10 * share) for share in shares]
    for at in sorted(range(len(shares)), key=lambda at: tenths[at] - 10 * shares[at])[: 10 - sum(tenths)]:
        tenths[at] += 1
    return tenths


def _apart(game: Game[S, M, V], known: S, found: Sequence[Tried[M]]) -> list[Tried[M]]:
    """Return the first COMPARED of them that are different advice: neither alike for the game nor the actions of a turn
    in another order, which lead to the same position.
    """
    kept: list[Tried[M]] = []
    ends: list[S] = []
    likenesses: list[object] = []
    for tried in found:
        if len(kept) == COMPARED or (likeness := game.likeness(known, tried.move)) in likenesses:
            continue
        if (end := game.carry_out(known, tried.move)) not in ends:
            kept.append(tried)
            ends.append(end)
            likenesses.append(likeness)
    return kept


def better(game: Game[S, M, V], state: S, seat: Seat, seed: str, played: M) -> tuple[Advised[M], ...]:
    """Return the move that `advise` says is best, or those that it mixes, and last the played one, with what tells them
    apart from each other; () if that is not surely much worse, or seems good enough at a first look.
    """

    def beside(
        rivals: Rivals[M], found: Sequence[Tried[M]], best: Mapping[M, float], playouts: int
    ) -> tuple[Advised[M], ...]:
        """Return the best moves, mixed as it says, and the played one; () if that is not much worse."""
        alike = game.likeness(state, played) in [game.likeness(state, move) for move in best]
        if alike or any(tried.share and tried.move == played for tried in found):
            return ()
        told = compare(game, state, seat, f"{seed} again", [*best, played], SURE, rivals, best, playouts)
        *others, last = told
        first = next(key for key in last.outlook if key != SHARE)
        much = MUCH / (10 if first in game.amounts else 100)
        sure = last.move == played and last.verdict == WORSE
        return told if sure and all(one.outlook[first] - last.outlook[first] >= much for one in others) else ()

    rivals, found = _searched(game, state, seat, seed, LOOKED_AT)
    if not beside(rivals, found, {found[0].move: 0.0}, LOOKED_AT):
        return ()
    rivals, found = _searched(game, state, seat, seed, SEARCHED)
    told = _advise(game, state, seat, seed, rivals, found)
    mixed = {one.move: one.outlook[SHARE] for one in told if SHARE in one.outlook}
    return beside(rivals, found, mixed or {told[0].move: 0.0}, REPEATED)


@dataclass(slots=True)
class Compared(Generic[M]):
    """A move, and what its playouts have brought so far."""

    turn: tuple[M, ...] = ()
    figures: dict[str, list[float]] = field(default_factory=dict)
    facts: dict[str, list[float]] = field(default_factory=dict)
    certain: Counter[str] = field(default_factory=Counter)
    settled: bool = True
    """Whether all that its figures tell was over with the turn."""

    def reasons(self) -> dict[str, Reason]:
        """Return the facts by key."""
        playouts = max(map(len, self.figures.values()))
        return {
            key: Reason(
                key, len(numbers) / playouts, _mean(numbers), certain=self.certain[key] == len(numbers) == playouts
            )
            for key, numbers in self.facts.items()
        }


def compare(
    game: Game[S, M, V],
    state: S,
    seat: Seat,
    seed: str,
    moves: Sequence[M],
    certain: float = CERTAIN,
    rivals: Rivals[M] | None = None,
    shares: Mapping[M, float] | None = None,
    playouts: int | None = None,
) -> tuple[Advised[M], ...]:
    """Return these moves, the best first, after so many playouts (REPEATED) of each on the same redeals. `certain`: the
    standard errors by which a move must be behind the best one before it counts as worse. `rivals`: what those do who
    seal a move at the same time. `shares`: how often to make each move, if they may be mixed.
    """
    tries = [Compared[M]() for _ in moves]
    for number in range(playouts or REPEATED):
        position = sample_position(game, state, seat, f"{seed} {number}")
        for tried, move in zip(tries, moves, strict=True):
            tried.turn = tuple(game.turn(position, move))
            playout = _played(game, position, tried.turn, f"{seed} {number} luck", rivals or {})
            tried.settled &= not playout.later
            for key, figure in game.outlook(playout, move).items():
                tried.figures.setdefault(key, []).append(figure)
            for key, figure in game.reasons(playout, move).items():
                tried.facts.setdefault(key, []).append(figure)
            tried.certain.update(sorted(game.certain(playout, move)))
    return weighed(game, tries, certain, shares or {})


def weighed(
    game: Game[S, M, V], tries: list[Compared[M]], certain: float, shares: Mapping[M, float]
) -> tuple[Advised[M], ...]:
    """Return the moves, the best first, by what their playouts brought; the arguments are those of `compare`."""
    tries.sort(key=lambda tried: (_shown(game, tried), _spoken_for(game, tried)), reverse=True)
    found: list[Advised[M]] = []
    for tried in tries:
        verdict, behind = _verdict(game, tries[0], tried, certain)
        # What stands below a worse move must not look better than that.
        verdict = max([verdict, *[advised.verdict for advised in found]])
        if found and _shown(game, tries[len(found) - 1]) == _shown(game, tried):
            verdict = found[-1].verdict  # and what looks the same is as good
        found.append(Advised(tried.turn, _outlook(game, tried), behind, verdict, ()))
    facts = {tried.turn: tried.reasons() for tried in tries}
    told = _mixed(game, found, shares)

    ranks = ranking(game, told)

    def reasons(own: Advised[M]) -> tuple[Reason, ...]:
        """Why a good move is good shows beside those that are not, and the other way round. If no fact that speaks for
        it says so, a figure does that is not shown. That none does is told if another is shown without a reason.
        """
        good = own.verdict == EQUAL
        others = [one for one in told if (one.verdict == EQUAL) != good]
        unlike = {one.turn: facts[one.turn] for one in others}
        alike = [facts[one.turn] for one in told if one is not own and one.turn not in unlike]
        why = telling(game, good, facts[own.turn], unlike, alike)
        if good and unlike and why[0].key not in game.leanings:
            why = _by_a_figure(game, own, others, ranks) or why
        needed = not ranks[1:] and WORSE in [one.verdict for one in told]
        return why if needed or NOTHING_TELLS not in [reason.key for reason in why] else ()

    return tuple(replace(advised, reasons=reasons(advised)) for advised in told)


def ranking(game: Game[S, M, V], told: Sequence[Advised[M]]) -> list[str]:
    """Return the figures that a hint shows: the first in which the moves look different, and those after it until moves
    of different verdicts look so. If all moves are as good it is the first that is not 0, and the next but for a
    mixture.
    """
    keys = [key for one in told[:1] for key in one.outlook if key != SHARE]
    looks = [_written(game, {key: one.outlook[key] for key in keys}) for one in told]
    tells = (lambda figures: len({*figures}) > 1) if len({one.verdict for one in told}) > 1 else any
    first = next((at for at, figures in enumerate(zip(*looks, strict=True)) if tells(figures)), 0)
    unlike = [
        (look, other)
        for (one, look), (another, other) in combinations(zip(told, looks, strict=True), 2)
        if one.verdict != another.verdict
    ]
    fewest = 1 if unlike or not told[1:] or SHARE in told[0].outlook else 2
    ends = range(first + fewest, len(keys) + 1)
    return keys[
        first : next((end for end in ends if all(one[first:end] != two[first:end] for one, two in unlike)), None)
    ]


def _by_a_figure(
    game: Game[S, M, V], own: Advised[M], others: Sequence[Advised[M]], shown: Sequence[str]
) -> tuple[Reason, ...]:
    """Return a figure that is not shown, and in which a good move looks better than the next that is not as good; if
    there is one, it is one in which none of these looks better.
    """
    found: list[tuple[int, Reason]] = []
    for key in [key for key in own.outlook if key not in (SHARE, *shown)]:
        figure, otherwise = own.outlook[key], others[0].outlook[key]
        mine, *looks = [_written(game, {key: one.outlook[key]})[0] for one in (own, *others)]
        if mine > looks[0]:
            numbers = (1.0, figure, 1.0, otherwise) if key in game.amounts else (figure, 1.0, otherwise, 1.0)
            found.append((max(looks) - mine, Reason(key, *numbers, beside=others[0].turn)))
    return tuple([reason for _, reason in sorted(found, key=lambda each: each[0] > 0)[:1]])


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


def _shown(game: Game[S, M, V], tried: Compared[M]) -> list[int]:
    return _written(game, _outlook(game, tried))


def _outlook(game: Game[S, M, V], tried: Compared[M]) -> dict[str, float]:
    means = {key: _mean(figures) for key, figures in tried.figures.items()}
    return {key: mean if key in game.amounts or tried.settled else min(mean, NEARLY) for key, mean in means.items()}


def _spoken_for(game: Game[S, M, V], tried: Compared[M]) -> float:
    """Return how much its facts speak for a move. It orders those that look the same, such as if all is lost."""
    return sum(
        game.leanings.get(fact.key, 0) * fact.share * (fact.number / 8 + (fact.key not in game.amounts))
        for fact in tried.reasons().values()
    )


def _written(game: Game[S, M, V], outlook: Mapping[str, float]) -> list[int]:
    """Return the figures as a hint shows them: chances in hundredths, other numbers in tenths."""
    return [round((10 if key in game.amounts else 100) * figure) for key, figure in outlook.items()]


def _verdict(game: Game[S, M, V], best: Compared[M], tried: Compared[M], certain: float) -> tuple[int, float]:
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
