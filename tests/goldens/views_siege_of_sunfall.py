"""Siege of Sunfall: views built by hand. They depend on no rules, so they change only when a type does."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.core.game import Outcome, Seat
from rules.siege_of_sunfall.deck import STRENGTHS
from rules.siege_of_sunfall.types import (
    Card,
    HeldCards,
    Kind,
    Phase,
    Reveal,
    SiegeView,
)
from tests.goldens.case import Case, labels, of_view


def siege(seats: int, **changed: Any) -> SiegeView:
    """A table of Siege of Sunfall at its first card, Swords 5."""
    kinds = (Kind.SWORDS, Kind.HELMET, Kind.BOW)
    view = SiegeView(
        viewer=None,
        seats=seats,
        phase=Phase.PLEDGE,
        round=1,
        rounds={3: 6, 4: 5, 5: 5, 6: 4}[seats],
        card=Card(Kind.SWORDS, 5),
        card_number=1,
        pile=8,
        king=Seat(0),
        coins=(12,) * seats,
        armies=(0,) * seats,
        held=(HeldCards(),) * seats,
        alive=(True,) * seats,
        to_move=tuple(Seat(s) for s in range(seats)),
        sealed=(),
        own_seal=None,
        award_to=(),
        open_reveal=None,
        last_reveal=None,
        last_round=None,
        starting_coins=12,
        strengths=tuple((kind, STRENGTHS) for kind in kinds),
        outcome=None,
    )
    return view._replace(**changed)


def seats_of(*numbers: int) -> tuple[Seat, ...]:
    return tuple(Seat(n) for n in numbers)


REPELLED = Reveal(
    Card(Kind.BOW, 6), (1, 2, 2, None, 0, 4), (0, 0, 1, None, 0, 0), 11, True, (), seats_of(2, 5), Seat(5), None,
)  # fmt: skip
LOST = Reveal(Card(Kind.HELMET, 9), (2, 1, 1, 3), (0, 0, 0, 0), 7, False, seats_of(1, 2), (), None, None)
TIED = Reveal(Card(Kind.ARMIES), (3, 0, 3, 2), (0, 0, 0, 0), 8, None, (), seats_of(0, 2), None, None)
HOLDINGS = (
    HeldCards(2, 0, 1, 1, 0),
    HeldCards(),
    HeldCards(1, 1, 2, 2, 1),
    HeldCards(0, 2, 0, 0, 2),
    HeldCards(0, 0, 1, 0, 0),
    HeldCards(1, 0, 0, 0, 0),
)

VIEWS: Mapping[str, SiegeView] = {
    "table_6": siege(
        6, round=3, card=Card(Kind.HELMET, 10), card_number=5, pile=7, king=Seat(4), coins=(7, 10, 15, 2, 0, 23),
        armies=(6, 12, 3, 0, 21, 8), held=HOLDINGS, alive=(True, True, True, False, True, True),
        to_move=seats_of(1, 4, 5), sealed=seats_of(0, 2), last_reveal=REPELLED,
    ),
    "table_3_first": siege(3),
    "table_4_lost": siege(
        4, card=Card(Kind.CROWN), card_number=3, alive=(True, False, False, True), coins=(5, 4, 6, 9),
        to_move=seats_of(0, 3), held=HOLDINGS[:4], last_reveal=LOST,
    ),
    "table_4_award": siege(
        4, phase=Phase.AWARD, card=Card(Kind.ARMIES), card_number=4, coins=(9, 12, 9, 10), to_move=seats_of(0),
        award_to=seats_of(0, 2), open_reveal=TIED, last_reveal=TIED,
    ),
    "table_5_over": siege(
        5, phase=Phase.OVER, round=5, card=None, card_number=0, pile=0, king=Seat(3), coins=(0,) * 5,
        armies=(31, 28, 31, 12, 4), to_move=(), last_reveal=REPELLED._replace(
            pledges=(1, 2, 2, None, 0), boosts=(0, 0, 1, None, 0), tied=(), taker=Seat(2), total=7),
        outcome=Outcome(frozenset(seats_of(0)), (31, 28, 31, 12, 4), "crown_tie"),
    ),
    "own_asked": siege(
        4, viewer=Seat(2), card=Card(Kind.BOOST), card_number=6, coins=(3, 0, 7, 12), held=HOLDINGS[:4],
        alive=(True, False, True, True), to_move=seats_of(0, 2), sealed=seats_of(3),
        last_reveal=LOST._replace(pledges=(2, 0, 1, 3), total=6, eliminated=seats_of(1)),
    ),
    "own_sealed": siege(
        6, viewer=Seat(0), card=Card(Kind.GOLD), card_number=2, pile=10, coins=(10,) * 6, held=HOLDINGS,
        to_move=seats_of(1, 3), sealed=seats_of(0, 2, 4, 5), own_seal=(4, 1), last_reveal=REPELLED,
    ),
    "own_gold": siege(
        3, viewer=Seat(2), phase=Phase.GOLD, round=2, card=None, card_number=0, pile=9, king=Seat(1),
        held=HOLDINGS[:3], armies=(5, 0, 9), to_move=seats_of(2),
    ),
}  # fmt: skip

CASES: tuple[Case, ...] = (
    *(of_view("siege_of_sunfall", name, view) for name, view in VIEWS.items()),
    of_view("siege_of_sunfall", "own_choosing", VIEWS["own_asked"], ("3",)),
    Case("siege_of_sunfall", "last", lambda game: game.paint_last(VIEWS["table_6"], labels("siege_of_sunfall", 6))),
    Case("siege_of_sunfall", "cover", lambda game: game.paint_cover(labels("siege_of_sunfall"))),
)

SHADES: tuple[Case, ...] = tuple(
    of_view("siege_of_sunfall", kind.value, siege(3, card=Card(kind, 7 * (number < 3)), held=HOLDINGS[2:5]))
    for number, kind in enumerate(Kind)
)
"""Every kind of card."""
