"""Verifies that an ended match was dealt as promised and its computers played as they do. Exports it, so that players
can verify it without the bot.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from time import monotonic
from typing import Any

from cogs.match.replay import replay, steps
from cogs.match.seating import draw, fits
from data.records.match import LoggedMove, Match
from rules.core.chance import Shuffled, commitment, shuffle
from rules.core.computer import LEVELS, VERSION, choose, decision_seed
from rules.core.game import AnyGame, AnyState, Seat

MOST_SECONDS = 20.0
"""How long the moves of computers are recomputed at most."""


@dataclass(frozen=True, slots=True)
class Computers:
    """What became of recomputing the moves of computers."""

    right: int = 0
    """Moves that are what the computer of that level plays there."""
    wrong: tuple[int, ...] = ()
    """Numbers of the moves that are not."""
    unchecked: int = 0
    """Moves by another version of the computers, or beyond MOST_SECONDS."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What `/verify` finds."""

    secret: str
    commitment: str
    """The commitment to the secret, which the players saw before the match."""
    seed: str
    """The seed of all deals, made of the secret and the cuts."""
    deals: tuple[Shuffled, ...]
    faults: tuple[int, ...]
    """Ordinals of the deals that do not follow from the seed; empty if all do."""
    seats: bool | None
    """Whether the seats are as drawn; None: they were not drawn."""
    same_end: bool
    """Whether replaying the log leads to the stored position."""
    computers: Computers
    export: bytes
    """JSON that docs/verify.py checks."""

    @property
    def good(self) -> bool:
        """Whether deals, seats, position and the moves of computers are all as they should be."""
        return not self.faults and self.seats is not False and self.same_end and not self.computers.wrong


def verdict(game: AnyGame, match: Match, log: Sequence[LoggedMove]) -> Verdict:
    """Recompute the drawing of the seats and every deal of a match, and replay its log."""
    history, end = replay(game, match, log)
    deals = tuple(logged.event for logged in history if isinstance(logged.event, Shuffled) and not logged.undone)
    return Verdict(
        secret=match.secret,
        commitment=commitment(match.secret),
        seed=match.seed,
        deals=deals,
        faults=tuple(d.ordinal for d in deals if shuffle(match.seed, d.ordinal, d.before) != d.after),
        seats=_seats_as_drawn(game, match),
        same_end=end.to_json() == match.state,
        computers=check_computers(game, match, log),
        export=json.dumps(_export(game, match, deals, end, log), ensure_ascii=False, indent=1).encode(),
    )


def check_computers(game: AnyGame, match: Match, log: Sequence[LoggedMove]) -> Computers:
    """Compute again every move that a computer made, from what its seat knew and the seed that follows from the match's
    secret. It takes as long as the computers took, and at most about MOST_SECONDS.
    """
    right, unchecked = 0, 0
    wrong: list[int] = []
    ends = monotonic() + MOST_SECONDS
    for move, before, _, _ in steps(game, match, log):
        if move.computer is None:
            continue
        level, _, version = move.computer.partition(" ")
        known = next((name for name in LEVELS if name == level), None)
        if known is None or version != str(VERSION) or monotonic() > ends:
            unchecked += 1
            continue
        seat = Seat(move.seat)
        played = choose(game, before, seat, decision_seed(match.seed, seat, move.turn), known)
        if str(played) == move.text:
            right += 1
        else:
            wrong.append(move.number)
    return Computers(right, tuple(wrong), unchecked)


def _seats_as_drawn(game: AnyGame, match: Match) -> bool | None:
    came = [chair.came for chair in match.chairs if chair.came is not None]
    if not came:
        return None
    in_the_lobby = [match.chairs[came.index(place)] for place in sorted(came)]
    cuts = [chair.cut for chair in in_the_lobby if chair.cut is not None]
    chosen, teams = [chair.team for chair in in_the_lobby], game.teams(len(match.chairs), match.options)
    return fits(chosen, teams) and draw(match.secret, cuts, chosen, teams) == tuple(came)


def _export(
    game: AnyGame, match: Match, deals: Sequence[Shuffled], end: AnyState, log: Sequence[LoggedMove]
) -> dict[str, Any]:
    """Return the whole match without users' ids. Names are those that the table shows, in the order of the seats."""
    outcome = end.outcome()
    drawn = any(chair.came is not None for chair in match.chairs)
    return {
        "game": game.slug,
        "table": match.id,
        "options": match.options,
        "previous": match.previous if drawn or match.previous is not None else 0,  # 0: that match was deleted
        "commitment": commitment(match.secret),
        "secret": match.secret,
        "seed": match.seed,
        "teams": list(game.teams(len(match.chairs), match.options)),
        "players": [
            {"name": chair.name or "departed", "came": chair.came, "cut": chair.cut, "team": chair.team}
            for chair in match.chairs
        ],
        "deals": [{"number": d.ordinal, "before": d.before, "after": d.after} for d in deals],
        "moves": [
            {"seat": m.seat, "move": m.text, "taken_back": m.undone_at is not None, "turn": m.turn, "by": m.computer}
            for m in log
        ],
        "outcome": None if outcome is None else outcome.to_json(),
    }
