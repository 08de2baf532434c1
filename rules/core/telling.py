"""Why a move is good: the facts of its playouts that tell it apart from the moves beside which it is shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from rules.core.game import Game, M, S, V

NEAR = 3
"""By how much figures may differ that look the same: in hundredths for a chance, in tenths for any other number."""
TELLING = 0.1
"""What comes about in less of the playouts is not told, nor a fact that differs by less from another move."""
NOTHING_TELLS = "none"
"""Stands for the reason of a move that no fact tells apart from another one."""
ALONE = "alone"
"""Stands for the reason of a move beside which no other one is worth a look."""
ENOUGH = 1.5
"""A number that no other move has is told alone only if, times its leaning, it is at least that."""
WORTHLESS = 0.5
"""A fact of the game's `worth` with a number nearer to 0 is no reason."""
SURELY = 0.995
"""What comes about in so many of the playouts of all moves is no reason for one of them."""


class Reason(NamedTuple):
    """A fact that speaks for a move or against it."""

    key: str
    """That of the game's `reasons`."""
    share: float
    """In how many of the playouts it came about."""
    number: float
    """The number that belongs to it, on average over these."""
    share_otherwise: float = 0.0
    """The same share for the move that it is told apart from; 0 if it is told of this move alone."""
    number_otherwise: float = 0.0
    """The same number for that move."""
    instead: bool = False
    """Whether it is a fact of that other move, and speaks against it."""
    beside: tuple[Any, ...] = ()
    """That other move, and the moves of its turn; () if it is told of this move alone."""
    certain: bool = False
    """Whether it comes about whatever others do and hold: no number of playouts shows this."""


Facts = Mapping[str, Reason]
"""The facts of a move, by key."""


def telling(
    game: Game[S, M, V], good: bool, own: Facts, unlike: Mapping[tuple[M, ...], Facts], alike: Sequence[Facts]
) -> tuple[Reason, ...]:
    """Return the fact of a move that tells most: of a good one that which tells it apart from the next one that is not
    as good, if any does, and none in which another one is better. Else return what can be said of it alone.
    """
    if not good:
        return _told_apart(game, False, _alone(game, _frequent(game, own), -1), [*unlike.values()][:1] or alike)[:1]
    facts = [fact for fact in _frequent(game, own) if not _pulls_back(game, fact, own)]
    facts = facts if unlike else _alone(game, facts, 1)
    best = _unbeaten(game, facts, [*unlike.values(), *alike])
    found = _beside_worse(game, own, facts, best, unlike) if unlike else _told_apart(game, True, best, alike)
    none = () if alike and not unlike else (Reason(NOTHING_TELLS if unlike else ALONE, 1.0, 1.0),)
    return found[:1] or _plain(game, best, [*unlike.values()], alike) or none


def _alone(game: Game[S, M, V], facts: Sequence[Reason], side: int) -> list[Reason]:
    """Return those of these facts that can be told of a move alone: by themselves they speak for it (side 1) or against
    it (-1), or neither way, and not only since another move has less or more of them.
    """
    return [
        fact for fact in facts if side * (leaning := game.leanings.get(fact.key, 0)) * fact.number > 0 or not leaning
    ]


def _beside_worse(
    game: Game[S, M, V],
    own: Facts,
    facts: Sequence[Reason],
    best: Sequence[Reason],
    unlike: Mapping[tuple[M, ...], Facts],
) -> tuple[Reason, ...]:
    """Return what tells a good move apart from the first of those that are not as good from which anything does, what
    tells most first. `best`: those of its facts in which no move that is shown looks better.
    """
    for at, (turn, other) in enumerate(unlike.items()):
        usable = _unbeaten(game, facts, [other])
        if 100 * (_aims(game, other) - _aims(game, own)) > NEAR:  # one aim more often, but fewer in all
            usable = [fact for fact in usable if game.leanings.get(fact.key) != 0]
        apart = [_beside(game, fact, other.get(fact.key), turn) for fact in _told_apart(game, True, usable, [other])]
        # What the other move lacks is told only of the next best one, and if no move that is shown has more of it.
        found = tuple([fact for fact in apart if fact.beside or (not at and fact in best)])
        if found or (not at and (found := _against(game, own, usable, other, turn))):
            return found
    return ()


def _unbeaten(game: Game[S, M, V], facts: Sequence[Reason], others: Sequence[Facts]) -> list[Reason]:
    """Return those of these facts in which none of the others looks better."""
    return [fact for fact in facts if not any(_beaten(game, fact, other) for other in others)]


def _told_apart(
    game: Game[S, M, V], good: bool, facts: Sequence[Reason], beside: Sequence[Facts]
) -> tuple[Reason, ...]:
    """Return those of these facts in which a move differs from any of the others, what tells most first. What merely
    happens must differ from all of them.
    """
    found: list[tuple[float, Reason]] = []
    for fact in facts if beside else ():
        others = [other.get(fact.key) for other in beside]
        if good and None in others and fact.key in game.amounts and (fact.key in game.leanings or fact.number <= 1):
            continue  # a number alone says nothing
        differs = max if fact.key in game.leanings else min
        apart = differs([_apart_from(game, good, fact, other) for other in others])
        if apart >= TELLING:
            found.append((apart * _weight(game, fact), fact))
    return tuple([fact for _, fact in sorted(found, key=lambda told: -told[0])])


def _against(
    game: Game[S, M, V], own: Facts, usable: Sequence[Reason], other: Facts, turn: tuple[M, ...]
) -> tuple[Reason, ...]:
    """Return the fact that speaks most against a move beside a good one, if one does: if it comes about with the good
    one too, as what it is for that one.
    """
    common = {key for key, fact in own.items() if fact.share >= TELLING}
    untold = common - {fact.key for fact in usable}
    bad = {
        fact: _apart_from(game, False, fact, own.get(fact.key))
        for fact in _frequent(game, other)
        if game.leanings.get(fact.key) and fact.key not in untold and not _opposed(game, fact, other)
    }
    fact = max(bad, key=bad.__getitem__, default=None)
    if fact is None or bad[fact] < TELLING:
        return ()
    both = fact.key in common
    return (_beside(game, own[fact.key], fact, turn) if both else fact._replace(instead=True, beside=turn),)


def _plain(
    game: Game[S, M, V], facts: Sequence[Reason], unlike: Sequence[Facts], alike: Sequence[Facts]
) -> tuple[Reason, ...]:
    """Return the most frequent fact that a good move aims at, if that comes about less often with those that
    are not as good, or of moves that are all as good if it is not certain for all; or one that no other move has and
    that has a number which says something alone; of a move beside which there is none, any one that does not speak
    against it.
    """

    def tells(fact: Reason) -> bool:
        leaning, others = game.leanings.get(fact.key), [*unlike, *alike]
        beside = [other[fact.key].share for other in others if fact.key in other]
        if not others:
            return (leaning or 0) >= 0 and fact.key not in game.amounts
        if leaning:
            return fact.key in game.amounts and not beside and leaning * fact.number >= ENOUGH
        if unlike:
            worse = [other[fact.key].share if fact.key in other else 0.0 for other in unlike]
            return leaning == 0 and all(fact.share - share >= TELLING for share in worse)
        return leaning == 0 and not (len(beside) == len(others) and min(fact.share, *beside) >= SURELY)

    plain = sorted(filter(tells, facts), key=lambda fact: (fact.key not in game.leanings, -fact.share))
    return tuple(plain[:1])


def _beside(game: Game[S, M, V], own: Reason, other: Reason | None, turn: tuple[M, ...]) -> Reason:
    """Return a fact of a good move with what it is for another one, as far as that does not speak for the other."""
    if other is None:
        return own
    leaning = game.leanings.get(own.key, 0)
    speaks = leaning if own.number >= 0 else -leaning  # a trick that costs points is the better, the rarer it is
    share = other.share if speaks * (own.share - other.share) >= 0 else own.share
    alike = _about_as_often(own, other) and leaning * (own.number - other.number) >= 0
    number = other.number if alike else own.number
    return own._replace(share_otherwise=share, number_otherwise=number, beside=turn)


def _pulls_back(game: Game[S, M, V], fact: Reason, own: Facts) -> bool:
    """Return whether a fact is no reason for its move though it may come about less often with another: its number says
    so, such as of a trick that is lost and yet needed, or after which the aim is reached less often; or what speaks
    against the move comes about more often instead, such as that the others do not repel the attack.
    """
    leaning = game.leanings.get(fact.key)
    if leaning is None:
        return fact.key not in game.amounts and (fact.number <= 0 or 100 * (_aims(game, own) - fact.number) > NEAR)
    return leaning * fact.number > 0 and _opposed(game, fact, own)


def _aims(game: Game[S, M, V], facts: Facts) -> float:
    """Return how often a move reaches any of the aims."""
    return sum(fact.share for fact in facts.values() if game.leanings.get(fact.key) == 0)


def _opposed(game: Game[S, M, V], fact: Reason, own: Facts) -> bool:
    """Return whether a fact of its kind that speaks the other way comes about more often with the same move."""
    speaks = game.leanings.get(fact.key, 0) * fact.number
    return any(
        one.share > fact.share and speaks * game.leanings.get(one.key, 0) * one.number < 0
        for one in own.values()
        if one.key not in game.amounts and _kind(one) == _kind(fact)
    )


def _about_as_often(one: Reason, other: Reason) -> bool:
    """Return whether the numbers of a fact of two moves compare: one that is rare says little of its move."""
    return 2 * min(one.share, other.share) >= max(one.share, other.share)


def _beaten(game: Game[S, M, V], own: Reason, others: Mapping[str, Reason]) -> bool:
    """Return whether another move looks better in this fact than the move whose fact it is."""
    other = others.get(own.key)
    if not game.leanings.get(own.key):
        if own.key in game.amounts:  # such as a new trump: of another one the number is compared too
            return any(
                fact.number >= own.number + (fact.key == own.key)
                for fact in others.values()
                if _kind(fact) == _kind(own)
            )
        return other is not None and 100 * (other.share - own.share) > NEAR
    better_by = max(_apart_from(game, True, other, own) if other else 0.0, _apart_from(game, False, own, other))
    return 100 * better_by > NEAR


def _weight(game: Game[S, M, V], reason: Reason) -> float:
    """What speaks for a move tells more than what it aims at, and that more than what merely happens."""
    return 1.0 if game.leanings.get(reason.key) else 0.75 if reason.key in game.leanings else 0.1


def _kind(reason: Reason) -> str:
    return reason.key.partition("_")[0]


def _frequent(game: Game[S, M, V], facts: Mapping[str, Reason]) -> list[Reason]:
    """Return the facts without rare ones and those of no worth. Of those of a kind that speak neither for a move nor
    against it, one that comes about less than half as often as another is rare too.
    """
    most: dict[str, float] = {}
    for fact in facts.values():
        if not game.leanings.get(fact.key):
            most[_kind(fact)] = max(fact.share, most.get(_kind(fact), 0.0))
    return [
        fact
        for fact in facts.values()
        if fact.share >= TELLING
        and not (fact.key in game.worth and abs(fact.number) < WORTHLESS)
        and (game.leanings.get(fact.key) or fact.share >= most[_kind(fact)] / 2)
    ]


def _apart_from(game: Game[S, M, V], good: bool, one: Reason, other: Reason | None) -> float:
    """Return by how much a fact of two moves differs in what is told of it; 0 or less if that does not say why the
    first move is good, or why not. A fact that speaks neither way says so only if it comes about more often.
    """
    leaning = game.leanings.get(one.key, 0) * (1 if good else -1)
    share, number = (other.share, other.number) if other else (0.0, 0.0)
    if other and one.key in game.amounts and not _about_as_often(one, other):
        return 0.0
    if leaning and one.key in game.amounts:
        return min(1.0, leaning * (one.number - number) / 8 * min(one.share, share))
    shares, numbers = one.share - share, one.share * one.number - share * number
    if leaning * one.number < 0:
        return 0.0
    if leaning and one.number < 0:  # less than nothing, such as a trick that costs points: it speaks the other way
        return min(1.0, leaning * numbers / 5)
    numbers = max(-1.0, min(1.0, numbers / 8))
    counts = one.key in game.amounts
    return leaning * (shares + numbers) if leaning else max(0.0, shares) + counts * abs(numbers)
