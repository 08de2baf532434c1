"""Whether a match that is over was dealt as promised, and all that anybody needs to find out without us: its export."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from cogs.match.replay import replay
from data.records.match import LoggedMove, Match
from rules.core.chance import Shuffled, commitment, drawn_seats, shuffle
from rules.core.game import AnyGame, AnyState


@dataclass(frozen=True, slots=True)
class Verdict:
    """What `/verify` finds. `commitment` is the secret's; `seed` is what the secret gives with the cuts."""

    secret: str
    commitment: str
    seed: str
    deals: tuple[Shuffled, ...]
    faults: tuple[int, ...]
    """Ordinals of deals that the seed does not give; empty where all is well."""
    seats: bool | None
    """Whether the seats are as drawn; None: they were not drawn."""
    same_end: bool
    """Whether replaying the log leads to the position that is stored."""
    export: bytes
    """JSON that docs/verify.py checks."""

    @property
    def good(self) -> bool:
        return not self.faults and self.seats is not False and self.same_end


def verdict(game: AnyGame, match: Match, log: Sequence[LoggedMove]) -> Verdict:
    """Recompute the drawing of the seats and every deal of a match, and replay its log."""
    story, end = replay(game, match, log)
    deals = tuple(told.event for told in story if isinstance(told.event, Shuffled) and not told.undone)
    return Verdict(
        secret=match.secret,
        commitment=commitment(match.secret),
        seed=match.seed,
        deals=deals,
        faults=tuple(d.ordinal for d in deals if shuffle(match.seed, d.ordinal, d.before) != d.after),
        seats=_seats_as_drawn(match),
        same_end=end.to_json() == match.state,
        export=json.dumps(_export(game, match, deals, end, log), ensure_ascii=False, indent=1).encode(),
    )


def _seats_as_drawn(match: Match) -> bool | None:
    came = [chair.came for chair in match.chairs if chair.came is not None]
    if not came:
        return None
    in_the_lobby = [match.chairs[came.index(place)].cut for place in sorted(came)]
    cuts = [cut for cut in in_the_lobby if cut is not None]
    return drawn_seats(match.secret, cuts, len(match.chairs)) == tuple(came)


def _export(
    game: AnyGame, match: Match, deals: Sequence[Shuffled], end: AnyState, log: Sequence[LoggedMove]
) -> dict[str, Any]:
    """The whole match without anybody's account: names as the table shows them, in the order of the seats."""
    outcome = end.outcome()
    drawn = any(chair.came is not None for chair in match.chairs)
    return {
        "game": game.slug,
        "table": match.id,
        "options": match.options,
        "previous": match.previous if drawn or match.previous is not None else 0,  # the one before was deleted
        "commitment": commitment(match.secret),
        "secret": match.secret,
        "seed": match.seed,
        "players": [{"name": chair.name or "departed", "came": chair.came, "cut": chair.cut} for chair in match.chairs],
        "deals": [{"number": d.ordinal, "before": d.before, "after": d.after} for d in deals],
        "moves": [{"seat": m.seat, "move": m.text, "taken_back": m.undone_at is not None} for m in log],
        "outcome": None if outcome is None else outcome.to_json(),
    }
