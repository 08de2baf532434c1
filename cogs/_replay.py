"""What has happened in a match, found again from its log: the story, the position, and whether the deals were fair."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from data.matches import LoggedMove, Match
from rules.core.chance import Shuffled, commitment, shuffle
from rules.core.game import AnyState, Event, Game, Seat


@dataclass(frozen=True, slots=True)
class Told:
    """An event, and the number of the move that caused it (-1: the opening). `undone`: that move was taken back.

    `seat` made that move (-1: the opening), `user` for it; None is a computer.
    """

    move: int
    event: Event
    undone: bool = False
    seat: int = -1
    user: int | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """What `/verify` finds: the seed as published, its commitment, and every deal recomputed from it."""

    seed: str
    commitment: str
    deals: tuple[Shuffled, ...]
    faults: tuple[int, ...]
    """Ordinals of deals that the seed does not give; empty where all is well."""
    same_end: bool
    """Whether replaying the log leads to the position that is stored."""


def replay(game: Game, match: Match, log: Sequence[LoggedMove]) -> tuple[list[Told], AnyState]:
    """All that has happened, and the position that what still stands leads to."""
    state = game.new(len(match.chairs), match.options, match.secret)
    story = [Told(-1, event) for event in state.opening()]
    kept: list[tuple[int, AnyState]] = []  # positions to come back to: at which length of the log, and which
    for move in log:
        while kept and kept[-1][0] <= move.number:
            _, state = kept.pop()
        undone = move.undone_at is not None
        if move.undone_at is not None:
            kept.append((move.undone_at, state))
        state, events = state.apply(game.parse(Seat(move.seat), move.text))
        story += [Told(move.number, event, undone, move.seat, move.user) for event in events]
    return story, kept[0][1] if kept else state


def verdict(game: Game, match: Match, log: Sequence[LoggedMove]) -> Verdict:
    """Recompute every deal of a match from its seed."""
    story, end = replay(game, match, log)
    deals = tuple(told.event for told in story if isinstance(told.event, Shuffled) and not told.undone)
    return Verdict(
        seed=match.secret,
        commitment=commitment(match.secret),
        deals=deals,
        faults=tuple(d.ordinal for d in deals if shuffle(match.secret, d.ordinal, d.before) != d.after),
        same_end=end.to_json() == match.state,
    )
