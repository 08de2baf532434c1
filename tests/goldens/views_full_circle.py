"""Views of Full Circle, built by hand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.core.game import Outcome, Seat
from rules.full_circle.types import Card, Colour, Face, Phase, Place, Play, Quadrant, RoundResult, Say, Trap, Verb
from rules.full_circle.view import FullCircleView
from tests.goldens.case import Case, labels, of_view

SLUG = "full_circle"


def cards(text: str) -> tuple[Card, ...]:
    return tuple(map(Card, text.split()))


def circle(text: str) -> tuple[Quadrant | None, ...]:
    """Four quadrants from TL: "RB" or "W:G", with "/2" for the cards below it; "-" is empty."""
    found: list[Quadrant | None] = []
    for part in text.split():
        face, _, covered = part.partition("/")
        colours = face[2:] if ":" in face else face
        edges = Colour(colours[0]), Colour(colours[-1])
        found.append(None if face == "-" else Quadrant(Face(face), *edges, int(covered or 0)))
    return tuple(found)


def seats_of(*numbers: int) -> tuple[Seat, ...]:
    return tuple(map(Seat, numbers))


def played(seat: int, face: str, place: str) -> Play:
    return Play(Seat(seat), Face(face), Place(place))


def drew(seat: int) -> Say:
    return Say(Seat(seat), Verb.DRAW)


def full(seats: int, quadrants: str, **changed: Any) -> FullCircleView:
    """A table of Full Circle in its first round, seat 0 to play."""
    view = FullCircleView(
        viewer=None,
        seats=seats,
        target=50,
        round=1,
        play_off=False,
        players=seats_of(*range(seats)),
        starter=Seat(0),
        to_move=Seat(0),
        phase=Phase.TURN,
        circle=circle(quadrants),
        marker=None,
        trap=None,
        barred=(),
        hand=(),
        drawn=None,
        hand_sizes=(6,) * seats,
        open_cards=(None,) * seats,
        pile=47 - 6 * seats,
        totals=(0,) * seats,
        streak=None,
        last_round=None,
        outcome=None,
    )
    return view._replace(**changed)


ROUND = RoundResult(
    3, False, Seat(1), seats_of(0, 1, 2, 3),
    (cards("B RG W W YP O"), (), cards("PO"), cards("R RY BO BP GY GR OY OP PB PG YR W W")),
    (44, 0, 8, 112), 4, (49, -4, 26, 130),
)  # fmt: skip

VIEWS: Mapping[str, FullCircleView] = {
    "table_4_trap": full(
        4, "RB/4 BR/2 R/1 YR/3", round=3, to_move=Seat(2), trap=Trap(Colour("R"), Seat(1)), barred=seats_of(1),
        hand_sizes=(7, 3, 1, 13),
        last=played(1, "BR", "TR"), open_cards=(None, None, Card("PO"), None), pile=3, totals=(41, -4, 18, 38),
    ),
    "table_4_drawn": full(
        4, "W:P/1 PO/2 - GY", round=2, to_move=Seat(1), phase=Phase.DRAWN, drawn=Card("OY"), marker=Place("TR"),
        last=drew(1),
        hand_sizes=(5, 1, 4, 6), open_cards=(None, Card("W"), None, None), pile=17, totals=(0, 24, 8, 36),
    ),
    "table_4_streak": full(
        4, "BP P/2 W:Y YB/1", round=4, to_move=Seat(1), marker=Place("BR"),
        last=played(0, "W:Y", "BR"), hand_sizes=(6, 12, 2, 1), pile=9,
        open_cards=(None, None, None, Card("OG")), totals=(36, -4, 24, 48), streak=(Seat(1), 2),
    ),
    "table_2_streak": full(
        2, "GP PG - OG", round=2, starter=Seat(1), to_move=Seat(1), marker=Place("TR"),
        last=played(0, "PG", "TR"), hand_sizes=(6, 5), pile=33,
        totals=(32, 0), streak=(Seat(1), 1),
    ),
    "table_3_play_off": full(
        3, "BR YO W:G PB/10", round=7, play_off=True, players=seats_of(0, 2), to_move=Seat(0), phase=Phase.FULL,
        marker=Place("BL"), last=played(0, "PB", "BL"), hand_sizes=(4, 0, 5), pile=0, totals=(44, 61, 44),
    ),
    "table_2_first": full(2, "YG - - -"),
    "table_3_over": full(
        3, "B BP PW:P PB".replace("PW:P", "W:P"), round=5, to_move=None, phase=Phase.OVER,
        last=played(1, "PB", "BL"), hand_sizes=(4, 0, 2),
        pile=9, totals=(12, 104, 33), last_round=ROUND,
        streak=(Seat(1), 2), outcome=Outcome(frozenset(seats_of(0)), (12, 104, 33), "lowest"),
    ),
    "hand_turn": full(
        4, "GO/1 OP/2 PR RY/5", viewer=Seat(0), round=2, marker=Place("BR"),
        last=played(3, "PR", "BR"), hand=cards("B BO OP YG R W"),
        totals=(16, 0, 44, 8), pile=20, hand_sizes=(6, 1, 3, 5), open_cards=(None, Card("Y"), None, None),
    ),
    "hand_trapped": full(
        3, "GO GP G YG/1", viewer=Seat(2), to_move=Seat(2), trap=Trap(Colour("G"), Seat(0)), barred=seats_of(0),
        last=played(0, "GP", "TR"),
        hand=cards("BP RB RY Y YR GB O OY PR P PB W"), hand_sizes=(4, 5, 12), totals=(0, 20, 30),
    ),
    "hand_drawn": full(
        2, "YB BP W:P/2 YP/3", viewer=Seat(0), phase=Phase.DRAWN, drawn=Card("PB"), marker=Place("BR"), last=drew(0),
        hand=cards("RO GO OG G RG R OR"), hand_sizes=(7, 1), open_cards=(None, Card("W")), totals=(8, 21), pile=12,
    ),
    "hand_streak": full(
        3, "W:R R/1 RO OB/3", viewer=Seat(2), to_move=Seat(1), round=12, target=200, marker=Place("TL"),
        last=played(0, "W:R", "TL"), pile=11,
        hand=cards("B BG GR P YP"), hand_sizes=(4, 6, 5), totals=(112, 87, -16), streak=(Seat(2), 3),
    ),
    "hand_waiting": full(
        2, "BR RG GY W:B", viewer=Seat(1), marker=Place("BL"), phase=Phase.DOUBLE,
        last=played(0, "W:B", "BL"), hand=cards("PG P"),
        hand_sizes=(3, 2), totals=(28, 4),
    ),
}  # fmt: skip

TRAPS = {
    "B": "BR/1 B GB/2 BP",
    "R": "RB RY/1 R OR",
    "Y": "YB BY Y/2 PY",
    "G": "GB BG GY RG",
    "O": "OB BO O YO",
    "P": "PB BP P GP",
}

CASES = (
    *(of_view(SLUG, name, view) for name, view in VIEWS.items()),
    of_view(SLUG, "hand_choosing", VIEWS["hand_turn"], ("OP",)),
    Case(SLUG, "last", lambda game: game.paint_last(VIEWS["table_3_over"], labels(SLUG, 4))),
    Case(SLUG, "cover", lambda game: game.paint_cover(labels(SLUG))),
)

SHADES = (
    *(of_view(SLUG, face, full(2, f"{face} {face} {face} {face}", viewer=Seat(0), hand=cards(f"{face[-1]} W")))
      for face in ("B", "R", "Y", "G", "O", "P", "W:B", "W:R", "W:Y", "W:G", "W:O", "W:P")),
    *(of_view(SLUG, f"{name}_{colour}", VIEWS[name]._replace(trap=Trap(Colour(colour), Seat(1)), circle=circle(shown)))
      for name in ("table_4_trap", "hand_trapped") for colour, shown in TRAPS.items()),
)  # fmt: skip
"""What the palettes are trained over besides: every colour, by itself and as a wild's, and every trap."""
