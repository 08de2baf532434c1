"""What the golden pictures show: a module a game, `views_<slug>.py`, found by being there.

Each has CASES, its pictures, and SHADES, what its palette is trained over besides. A game whose renderer has callouts
has one picture more: the example's hand, explained; and one that tells how matches went has one of a match.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

from rules import GAMES
from tests.goldens.case import NAMES, Case, explained, level, profile, result, round_over, statistics

_MODULES = [import_module(f"tests.goldens.{path.stem}") for path in sorted(Path(__file__).parent.glob("views_*.py"))]

CASES: tuple[Case, ...] = (
    *(case for module in _MODULES for case in module.CASES),
    *(
        case
        for slug in GAMES
        for of in (explained, result, round_over, statistics, profile)
        if (case := of(slug)) is not None
    ),
)
SHADES: tuple[Case, ...] = (
    *(case for module in _MODULES for case in module.SHADES),
    *(case for slug in GAMES if (case := result(slug, len(NAMES) // 2)) is not None),  # the people whom no golden shows
    *map(level, GAMES),
)
