"""Full Circle: what stays fixed for a match and for a round, how a round is scored, which players play the next."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rules.core.game import Json, Outcome, Seat
from rules.core.records import value_of
from rules.full_circle import circle
from rules.full_circle.circle import POINTS
from rules.full_circle.types import STREAK_BONUS, RoundResult


class Setup(NamedTuple):
    """What stays fixed for the whole match."""

    seats: int
    target: int
    seed: str

    def __repr__(self) -> str:
        return f"Setup({self.seats} seats)"  # without the seed: a repr may reach a log


class Round(NamedTuple):
    """What stays fixed from one deal to the next. Each tuple but `players` has an entry a seat."""

    number: int
    play_off: bool
    players: tuple[Seat, ...]
    starter: Seat
    totals: tuple[int, ...]
    streak: tuple[Seat, int] | None
    last: RoundResult | None
    outcome: Outcome | None


def count_round(
    round_: Round, hands: Sequence[Sequence[int]], winner: Seat | None
) -> tuple[RoundResult, tuple[Seat, int] | None]:
    """Return the round's result and the streak of wins after it (F15). A play-off counts for neither (F16)."""
    points = tuple([sum(map(POINTS.__getitem__, hand)) for hand in hands])
    totals, bonus, streak = round_.totals, 0, None
    if not round_.play_off:
        if winner is not None:
            wins = round_.streak[1] if round_.streak and round_.streak[0] == winner else 0
            streak, bonus = (winner, wins + 1), STREAK_BONUS if wins else 0
        totals = tuple([t + p - bonus * (s == winner) for s, (t, p) in enumerate(zip(totals, points, strict=True))])
    names = tuple([circle.names(hand) for hand in hands])
    result = RoundResult(round_.number, round_.play_off, winner, round_.players, names, points, bonus, totals)
    return result, streak


def first_from(players: Sequence[Seat], seat: int) -> Seat:
    """Return the first of the players at that seat or clockwise from it."""
    return next((player for player in players if player >= seat), players[0])


def next_players(
    round_: Round, totals: tuple[int, ...], winner: Seat | None, target: int
) -> tuple[tuple[Seat, ...], bool, Seat | None]:
    """Return the players of the next round, whether it is a play-off, and the game's winner, if there is one (F16)."""
    if round_.play_off:
        return round_.players, True, winner
    if max(totals) < target:
        return round_.players, False, None
    lowest = tuple([Seat(seat) for seat, total in enumerate(totals) if total == min(totals)])
    return lowest, len(lowest) > 1, lowest[0] if len(lowest) == 1 else None


def round_from_json(data: Json) -> Round:
    """Return the round in a state's `to_json`."""
    return Round(
        data["round"],
        data["play_off"],
        tuple(data["players"]),
        data["starter"],
        tuple(data["totals"]),
        data["streak"] and tuple(data["streak"]),
        value_of(RoundResult | None, data["last_round"]),
        value_of(Outcome | None, data["outcome"]),
    )
