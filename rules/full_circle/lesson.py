"""The first lesson of Full Circle: one round of two players, with all that the game can bring. It has a Double Match,
Colour Traps of both players, a card drawn in a trap, a Full Circle, and a last card given away.
"""

from __future__ import annotations

from collections.abc import Sequence

from rules.core.game import Event, Seat
from rules.core.lesson import OTHER, Lesson, Step
from rules.full_circle.types import Move, Phase, Play, Say, Verb
from rules.full_circle.view import FullCircleView

ME, RIVAL = Seat(0), Seat(1)


def _first(view: FullCircleView, happened: Sequence[Event]) -> bool:
    return sum(quadrant is not None for quadrant in view.circle) == 1 and "Y" in view.hand


def _lock(view: FullCircleView, happened: Sequence[Event]) -> bool:
    return view.marker is not None and view.phase is Phase.TURN and any(play.face == "GY" for play in view.plays())


def _trapped(view: FullCircleView, happened: Sequence[Event]) -> bool:
    trap = view.trap is not None and view.trap.setter == RIVAL and view.trap.colour == "Y"
    return trap and any(view.effects_of(play).double for play in view.plays())


def _set_trap(view: FullCircleView, happened: Sequence[Event]) -> bool:
    return view.trap is None and any(view.effects_of(play).trap for play in view.plays())


def _full(view: FullCircleView, happened: Sequence[Event]) -> bool:
    return view.phase is Phase.TURN and any(view.effects_of(play).full for play in view.plays())


def _wild_or_other(view: FullCircleView, move: Move) -> str:
    return "keeps_wild" if isinstance(move, Play) and move.face.startswith("W") else OTHER


def _no_double(view: FullCircleView, move: Move) -> str:
    return OTHER if isinstance(move, Play) and view.effects_of(move).double else "no_double"


def _stops(view: FullCircleView, move: Move) -> str:
    return "stops" if isinstance(move, Say) and move.verb is Verb.STOP else OTHER


def _instead_of_one_colour(view: FullCircleView, move: Move) -> str:
    return "keeps_two" if isinstance(move, Play) else "stops"


def _instead_of_the_gift(view: FullCircleView, move: Move) -> str:
    return "gift_counts" if isinstance(move, Play) else _stops(view, move)


def _no_trap(view: FullCircleView, move: Move) -> str:
    return OTHER if isinstance(move, Play) and view.effects_of(move).trap else "no_trap"


LESSON: Lesson[FullCircleView, Move] = Lesson(
    seats=2,
    seat=ME,
    seed="93234cb4f49081f8a6ea6e916529f22ffdeb06b10c35690f4189793e6db285b3",
    options={"target": 10},
    line=(
        *("0 play Y TR", "1 play Y TL"),
        *("0 play GY BL", "1 play YR BR"),
        *("0 play W:Y TL", "0 play R BL", "1 play RY TR"),
        *("0 draw", "1 play BR TL"),
        *("0 draw", "1 draw"),
        *("0 play OR BR", "1 draw"),
        *("0 play PB BL", "1 play YO BR"),
        *("0 play BG TL", "0 give G 1"),
    ),
    steps=(
        Step("first", _first, _wild_or_other),
        Step("lock", _lock, _wild_or_other),
        Step("trapped", _trapped, _no_double, asks=True),
        Step("doubled", lambda view, _: view.phase is Phase.DOUBLE and bool(view.plays()), _instead_of_one_colour),
        Step("draw", lambda view, _: view.phase is Phase.TURN and view.trap is None and not view.plays()),
        Step("trapped_again", lambda view, _: view.trap is not None and view.trap.setter == RIVAL and not view.plays()),
        Step("set_trap", _set_trap, _no_trap, asks=True),
        Step("after_trap", lambda view, _: ME in view.barred and len(view.plays()) == 1 and len(view.hand) == 3),
        Step("full", _full),
        Step("give", lambda view, _: view.phase is Phase.FULL and len(view.hand) == 1, _instead_of_the_gift),
    ),
    over=lambda view: view.round > 1,
)
