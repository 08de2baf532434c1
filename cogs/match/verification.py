"""Verifies that an ended match was dealt as promised, and exports it, so that players can verify it without the bot."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from cogs.match.replay import replay
from cogs.match.seating import draw, fits
from data.records.match import LoggedMove, Match
from rules.core.chance import Shuffled, commitment, shuffle
from rules.core.game import AnyGame, AnyState


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
    export: bytes
    """JSON that docs/verify.py checks."""

    @property
    def good(self) -> bool:
        """Whether deals, seats and position are all as they should be."""
        return not self.faults and self.seats is not False and self.same_end


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
        export=json.dumps(_export(game, match, deals, end, log), ensure_ascii=False, indent=1).encode(),
    )


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
        "moves": [{"seat": m.seat, "move": m.text, "taken_back": m.undone_at is not None} for m in log],
        "outcome": None if outcome is None else outcome.to_json(),
    }
