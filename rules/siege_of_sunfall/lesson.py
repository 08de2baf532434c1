"""The first lesson of Siege of Sunfall: one round of four players.

The examples of our rules page come up: strength 6 against pledges of 3, 3, 2 and 0, with a tie that the King decides
for himself, and pledges of 2, 1, 1 and 0, which are not enough.
"""

from __future__ import annotations

from collections.abc import Sequence

from rules.core.game import Event, Seat
from rules.core.lesson import Lesson, Step
from rules.siege_of_sunfall.events import Eliminated
from rules.siege_of_sunfall.types import Card, Kind, Move, Phase, Pledge, SiegeView

ME = Seat(0)


def _faces(view: SiegeView, card: Card) -> bool:
    return view.phase is Phase.PLEDGE and view.card == card


def _together(view: SiegeView, happened: Sequence[Event]) -> bool:
    return view.card_number == 1 and _faces(view, Card(Kind.HELMET, 6))


def _award(view: SiegeView, happened: Sequence[Event]) -> bool:
    return view.phase is Phase.AWARD and ME in view.award_to and view.king == ME


def _fallen(view: SiegeView, happened: Sequence[Event]) -> bool:
    out = [event.seats for event in happened if isinstance(event, Eliminated)]
    return len(out) == 1 and len(out[0]) == 1 and _faces(view, Card(Kind.HELMET, 4))


def _siege_end(view: SiegeView, happened: Sequence[Event]) -> bool:
    return view.card_number == 6 and _faces(view, Card(Kind.SWORDS, 5))


def _against_attackers(view: SiegeView, move: Move) -> str:
    """Two or three coins are a fair share, and a bit more."""
    assert isinstance(move, Pledge)
    fair = 3 if view.card_number == 1 else 2
    if move.coins > fair:
        return "too_much"
    return "nothing" if move.coins == 0 else "too_little"


def _for_armies(view: SiegeView, move: Move) -> str:
    assert isinstance(move, Pledge)
    return "dear" if move.coins > 2 else "cheap"


LESSON: Lesson[SiegeView, Move] = Lesson(
    seats=4,
    seat=ME,
    seed="39c4d82ed15dfaf4ea1d0bf19d89ba3f38d87ceebf40c332304fd775f8ce65c5",
    line=(
        *("0 pledge 3", "1 pledge 0", "2 pledge 2", "3 pledge 3", "0 award 0"),  # helmet 6
        *("0 pledge 2", "1 pledge 1", "2 pledge 1", "3 pledge 0"),  # armies
        *("0 pledge 2", "1 pledge 1", "2 pledge 1", "3 pledge 0"),  # helmet 5
        *("0 pledge 2", "1 pledge 3", "2 pledge 1"),  # helmet 4
        *("0 pledge 0", "1 pledge 3", "2 pledge 2"),  # gold
        *("0 pledge 2", "1 pledge 2", "2 pledge 3"),  # swords 5, then Siege End
    ),
    steps=(
        Step("together", _together, _against_attackers),
        Step("award", _award, lambda *_: "give_away"),
        Step("armies", lambda view, _: _faces(view, Card(Kind.ARMIES)), _for_armies, asks=True),
        Step("sealed", lambda view, _: _faces(view, Card(Kind.HELMET, 5)), _against_attackers),
        Step("fallen", _fallen, _against_attackers),
        Step("gold", lambda view, _: _faces(view, Card(Kind.GOLD)), lambda *_: "save"),
        Step("siege_end", _siege_end, _against_attackers),
    ),
    over=lambda view: view.round > 1,
)
