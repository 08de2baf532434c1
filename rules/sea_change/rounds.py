"""Sea Change: what stays fixed for a match and for a round, how a round is scored, and who wins the match."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from rules.core.game import Json, Outcome, Seat
from rules.sea_change.cards import CARDS
from rules.sea_change.types import AI, HAND, NO_TEAMS, POINTS, SEATING, SUITS, MatchWon, RoundResult


class Setup(NamedTuple):
    """What stays fixed for the whole match."""

    seats: int
    teams: str
    target: int
    open_scores: bool
    points: tuple[int, ...]
    """By value; 0 for value 0."""
    zero_points: int
    suits: tuple[int, ...]
    seed: str

    def __repr__(self) -> str:
        return f"Setup({self.seats} seats)"  # without the seed: a repr may reach a log

    @property
    def players(self) -> int:
        """The number of players: the seats and, in the solo game, the AI (C11)."""
        return 2 if self.seats == 1 else self.seats

    @property
    def sides(self) -> tuple[int, ...]:
        """The side of each player."""
        if self.teams == NO_TEAMS:
            return tuple(range(self.players))
        return tuple("ABCD".index(team) for team in SEATING[self.seats][self.teams])

    @property
    def tricks(self) -> int:
        """The number of tricks in a round: 10, or 15 with two players (C10)."""
        return 15 if self.seats == 2 else HAND

    def by_side(self, by_player: Sequence[tuple[int, ...]]) -> tuple[tuple[int, ...], ...]:
        """Return the cards of all players pooled by side, each pool sorted (C12)."""
        if self.teams == NO_TEAMS:
            return tuple([tuple(sorted(cards)) for cards in by_player])
        pools: list[list[int]] = [[] for _ in range(max(self.sides) + 1)]
        for side, cards in zip(self.sides, by_player, strict=True):
            pools[side] += cards
        return tuple([tuple(sorted(pool)) for pool in pools])

    def points_of(self, cards: Sequence[int]) -> int:
        """Return the points of captured cards, every 0 counted as 0."""
        points = self.points
        return sum([points[card & 31] for card in cards])


def setup_of(seats: int, options: Json, deck: Mapping[str, Any], suits: tuple[int, ...], seed: str) -> Setup:
    """Return the setup from a value for every option and a complete deck table."""
    points = (0, *(deck["points"][str(value)] for value in POINTS))
    teams, target, open_scores = options["teams"], options["target"], options["open_scores"]
    return Setup(seats, teams, target, open_scores, points, deck["zero_points"], suits, seed)


class Round(NamedTuple):
    """What stays fixed from one deal to the next."""

    number: int
    dealer: int
    victory_points: tuple[int, ...]
    """By side."""
    last: RoundResult | None
    outcome: Outcome | None


def count_round(setup: Setup, number: int, by_player: Sequence[tuple[int, ...]], trump: int) -> RoundResult:
    """Return the result of the round of that number, from the cards that each player has captured (C8, C11)."""
    captured, zero = setup.by_side(by_player), trump << 5
    zero_side = next((side for side, cards in enumerate(captured) if zero in cards), None)
    totals = list(map(setup.points_of, captured))
    if zero_side is not None:
        totals[zero_side] += setup.zero_points
    if setup.seats == 1:
        has_eight = any(card & 31 == 8 for card in captured[0])
        winners: tuple[int, ...] = (0,) if totals[0] > totals[1] and has_eight else (AI,)
    else:
        highest = max(totals)
        winners = tuple([side for side, total in enumerate(totals) if total == highest])
    names = tuple([CARDS.names(cards) for cards in captured])
    return RoundResult(number, tuple(totals), names, winners, SUITS[trump], zero_side)


def decide_match(setup: Setup, victory_points: tuple[int, ...], last: RoundResult) -> tuple[MatchWon, Outcome]:
    """Return who wins the match (C9). At least one side is at the target."""
    sides = [side for side, vp in enumerate(victory_points) if vp >= setup.target]
    tie_break, reason = "", "victory_points"
    if setup.seats == 1:
        reason = "solo_lost" if AI in sides else "solo_won"
    elif len(sides) > 1 and last.zero_side in sides:
        sides, tie_break, reason = [last.zero_side], "zero", "tie_zero"
    elif len(sides) > 1:
        fewest = min(len(last.captured[side]) for side in sides)
        sides = [side for side in sides if len(last.captured[side]) == fewest]
        tie_break, reason = ("cards", "tie_cards") if len(sides) == 1 else ("shared", "shared")
    seats = setup.sides[: setup.seats]  # the AI is no seat
    outcome = Outcome(
        frozenset(Seat(seat) for seat, side in enumerate(seats) if side in sides),
        tuple(victory_points[side] for side in seats),
        reason,
    )
    return MatchWon(tuple(sides), tie_break), outcome
