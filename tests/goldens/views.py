"""Views built by hand: what the golden pictures show. They depend on no rules, so they change only when a type does."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from types import ModuleType
from typing import Any, NamedTuple

from data.words import texts
from rendering import renderer
from rendering.core.canvas import Page
from rendering.core.labels import Labels
from rules.core.game import Outcome, Seat
from rules.sea_change import POINTS, Card, Lay, RoundResult, SeaChangeView, Suit, Trick
from rules.siege_of_sunfall import STRENGTHS, Held, Kind, Phase, Reveal, SiegeView
from rules.siege_of_sunfall import Card as SiegeCard

NAMES = ("Ann", "Maximilian of the Deep", "Børge", "Дмитрий", "田中さくら", "Zoë", "Hans-Jürgen von Hohenberg", "Li")


@cache
def labels(slug: str, seats: int = len(NAMES)) -> Labels:
    """English texts and the first names."""
    return Labels(NAMES[:seats], texts("en", slug))


class Case(NamedTuple):
    """A golden picture: how its page is painted."""

    slug: str
    name: str
    paint: Callable[[ModuleType], Page | None]

    @property
    def file(self) -> str:
        return f"{self.slug}_{self.name}.png"

    def page(self) -> Page:
        page = self.paint(renderer(self.slug))
        assert page is not None
        return page


# Sea Change


def cards(text: str) -> tuple[Card, ...]:
    return tuple(Card(card) for card in text.split())


def lays(leader: int, players: int, text: str) -> tuple[Lay, ...]:
    return tuple(Lay((leader + i) % players, card) for i, card in enumerate(cards(text)))


def sea(players: int, **changed: Any) -> SeaChangeView:
    """A table of Sea Change with all suits, nothing played yet; `players` counts the AI."""
    view = SeaChangeView(
        viewer=None,
        seats=players,
        sides=tuple(range(players)),
        target=3,
        open_scores=False,
        suits=tuple(Suit(s) for s in "BGRPY"),
        values=tuple(range(16)),
        points_by_value=tuple(POINTS.items()),
        zero_points=5,
        round=1,
        trick_number=1,
        tricks=10,
        dealer=0,
        leader=1,
        to_move=Seat(1),
        trump=None,
        lays=(),
        hand=(),
        hand_sizes=(10,) * players,
        pile=0,
        captured=(0,) * players,
        tricks_won=(0,) * players,
        victory_points=(0,) * players,
        points=None,
        last_trick=None,
        last_round=None,
        outcome=None,
    )
    return view._replace(**changed)


SEA: Mapping[str, SeaChangeView] = {
    "table_8_teams": sea(
        8, sides=(0, 1, 2, 3, 0, 1, 2, 3), round=2, trick_number=4, dealer=1, leader=2, to_move=Seat(7),
        trump=Suit("R"), lays=lays(2, 8, "B8 B13 B9 R9 B6"), hand_sizes=(7, 7, 6, 6, 6, 6, 6, 7),
        captured=(8, 0, 16, 0), tricks_won=(1, 0, 2, 0, 0, 0, 0, 0), victory_points=(0, 1, 0, 2),
    ),
    "table_4_last_trick": sea(
        4, suits=tuple(Suit(s) for s in "BGPY"), round=2, trick_number=5, dealer=1, leader=2, to_move=Seat(2),
        trump=Suit("G"), hand_sizes=(6,) * 4, captured=(4, 0, 12, 0), tricks_won=(1, 0, 3, 0), open_scores=True,
        points=(-8, 0, 6, 0), victory_points=(1, 0, 0, 0),
        last_trick=Trick(lays(3, 4, "Y10 G0 B4 G4"), Suit("G"), 2),
        last_round=RoundResult(1, (3, -2, 0, 1), ((), (), (), ()), (0,), Suit("P"), None),
    ),
    "table_2": sea(
        2, suits=tuple(Suit(s) for s in "BGR"), tricks=15, trick_number=7, leader=0, to_move=Seat(1), trump=Suit("B"),
        lays=lays(0, 2, "R12"), hand_sizes=(10, 10), pile=3, captured=(4, 8), tricks_won=(2, 4), victory_points=(2, 1),
    ),
    "table_solo": sea(
        2, seats=1, suits=tuple(Suit(s) for s in "BPY"), trick_number=3, leader=1, to_move=Seat(0), trump=Suit("P"),
        lays=(Lay(1, Card("Y6")),), hand_sizes=(8,), pile=15, captured=(3, 3), tricks_won=(1, 1), victory_points=(0, 2),
    ),
    "table_5_over": sea(
        5, sides=(0, 1, 0, 1, 0), target=4, round=6, trick_number=10, dealer=0, leader=2, to_move=None, trump=Suit("Y"),
        hand_sizes=(0,) * 5, captured=(20, 30), tricks_won=(1, 4, 2, 2, 1), victory_points=(3, 4),
        last_trick=Trick(lays(3, 5, "Y6 G5 Y8 R5 B9"), Suit("Y"), 0),
        last_round=RoundResult(6, (-8, 18), ((), ()), (1,), Suit("Y"), 1),
        outcome=Outcome(frozenset((Seat(1), Seat(3))), (3, 4, 3, 4, 3), "victory_points"),
    ),
    "hand_following": sea(
        8, viewer=Seat(0), leader=1, to_move=Seat(0), trump=Suit("P"), lays=lays(1, 8, "Y11 Y3 Y12 P12 Y9 G9 Y15"),
        hand=cards("B1 B2 G11 G13 R8 R15 P1 P8 Y0 Y7"), hand_sizes=(10, *[9] * 7),
    ),
    "hand_leading": sea(
        5, viewer=Seat(1), trick_number=7, to_move=Seat(1), trump=Suit("G"), hand=cards("G4 G8 P11 Y0"),
        hand_sizes=(4,) * 5, victory_points=(0, 2, 0, 0, 0),
        last_trick=Trick(lays(0, 5, "P6 P11 P0 G9 P8"), Suit("G"), 3),
    ),
    "hand_first": sea(
        3, viewer=Seat(2), to_move=Seat(1), hand=cards("B4 B5 B12 G0 G7 G10 R4 R6 R9 R11"), hand_sizes=(10,) * 3,
    ),
}  # fmt: skip


# Siege of Sunfall


def siege(seats: int, **changed: Any) -> SiegeView:
    """A table of Siege of Sunfall at its first card, Swords 5."""
    kinds = (Kind.SWORDS, Kind.HELMET, Kind.BOW)
    view = SiegeView(
        viewer=None,
        seats=seats,
        phase=Phase.PLEDGE,
        round=1,
        rounds={3: 6, 4: 5, 5: 5, 6: 4}[seats],
        card=SiegeCard(Kind.SWORDS, 5),
        card_number=1,
        pile=8,
        king=Seat(0),
        coins=(12,) * seats,
        armies=(0,) * seats,
        held=(Held(),) * seats,
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
    SiegeCard(Kind.BOW, 6), (1, 2, 2, None, 0, 4), (0, 0, 1, None, 0, 0), 11, True, (), seats_of(2, 5), Seat(5), None,
)  # fmt: skip
LOST = Reveal(SiegeCard(Kind.HELMET, 9), (2, 1, 1, 3), (0, 0, 0, 0), 7, False, seats_of(1, 2), (), None, None)
TIED = Reveal(SiegeCard(Kind.ARMIES), (3, 0, 3, 2), (0, 0, 0, 0), 8, None, (), seats_of(0, 2), None, None)
HOLDINGS = (
    Held(2, 0, 1, 1, 0),
    Held(),
    Held(1, 1, 2, 2, 1),
    Held(0, 2, 0, 0, 2),
    Held(0, 0, 1, 0, 0),
    Held(1, 0, 0, 0, 0),
)

SIEGE: Mapping[str, SiegeView] = {
    "table_6": siege(
        6, round=3, card=SiegeCard(Kind.HELMET, 10), card_number=5, pile=7, king=Seat(4), coins=(7, 10, 15, 2, 0, 23),
        armies=(6, 12, 3, 0, 21, 8), held=HOLDINGS, alive=(True, True, True, False, True, True),
        to_move=seats_of(1, 4, 5), sealed=seats_of(0, 2), last_reveal=REPELLED,
    ),
    "table_3_first": siege(3),
    "table_4_lost": siege(
        4, card=SiegeCard(Kind.CROWN), card_number=3, alive=(True, False, False, True), coins=(5, 4, 6, 9),
        to_move=seats_of(0, 3), held=HOLDINGS[:4], last_reveal=LOST,
    ),
    "table_4_award": siege(
        4, phase=Phase.AWARD, card=SiegeCard(Kind.ARMIES), card_number=4, coins=(9, 12, 9, 10), to_move=seats_of(0),
        award_to=seats_of(0, 2), open_reveal=TIED, last_reveal=TIED,
    ),
    "table_5_over": siege(
        5, phase=Phase.OVER, round=5, card=None, card_number=0, pile=0, king=Seat(3), coins=(0,) * 5,
        armies=(31, 28, 31, 12, 4), to_move=(), last_reveal=REPELLED._replace(
            pledges=(1, 2, 2, None, 0), boosts=(0, 0, 1, None, 0), tied=(), taker=Seat(2), total=7),
        outcome=Outcome(frozenset(seats_of(0)), (31, 28, 31, 12, 4), "crown_tie"),
    ),
    "own_asked": siege(
        4, viewer=Seat(2), card=SiegeCard(Kind.BOOST), card_number=6, coins=(3, 0, 7, 12), held=HOLDINGS[:4],
        alive=(True, False, True, True), to_move=seats_of(0, 2), sealed=seats_of(3), last_reveal=LOST,
    ),
    "own_sealed": siege(
        6, viewer=Seat(0), card=SiegeCard(Kind.GOLD), card_number=2, pile=10, coins=(10,) * 6, held=HOLDINGS,
        to_move=seats_of(1, 3), sealed=seats_of(0, 2, 4, 5), own_seal=(4, 1), last_reveal=REPELLED,
    ),
    "own_gold": siege(
        3, viewer=Seat(2), phase=Phase.GOLD, round=2, card=None, card_number=0, pile=9, king=Seat(1),
        held=HOLDINGS[:3], armies=(5, 0, 9), to_move=seats_of(2),
    ),
}  # fmt: skip


def _case(slug: str, name: str, view: Any, focus: tuple[str, ...] = ()) -> Case:
    return Case(slug, name, lambda game: game.paint(view, labels(slug, view.seats), focus))


CASES: tuple[Case, ...] = (
    *(_case("sea_change", name, view) for name, view in SEA.items()),
    Case("sea_change", "last", lambda game: game.paint_last(SEA["table_4_last_trick"], labels("sea_change", 4))),
    Case("sea_change", "cover", lambda game: game.paint_cover(labels("sea_change"))),
    *(_case("siege_of_sunfall", name, view) for name, view in SIEGE.items()),
    _case("siege_of_sunfall", "own_choosing", SIEGE["own_asked"], ("3",)),
    Case("siege_of_sunfall", "last", lambda game: game.paint_last(SIEGE["table_6"], labels("siege_of_sunfall", 6))),
    Case("siege_of_sunfall", "cover", lambda game: game.paint_cover(labels("siege_of_sunfall"))),
)

SHADES: tuple[Case, ...] = (
    *(_case("sea_change", suit, sea(3, viewer=Seat(0), hand=cards(" ".join(f"{suit}{v}" for v in (0, 8, 9, 12)))))
      for suit in "BGRPY"),
    *(_case("siege_of_sunfall", kind.value, siege(3, card=SiegeCard(kind, 7 * (number < 3)), held=HOLDINGS[2:5]))
      for number, kind in enumerate(Kind)),
)  # fmt: skip
"""What the palettes are trained over besides: every suit and every kind of card."""
