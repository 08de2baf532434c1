"""The rules of the games. They are pure: they import only the standard library and each other.

`GAMES` maps a game's slug to its rules. It finds each module or package of this folder that has a `GAME`.
"""

from collections.abc import Mapping
from importlib import import_module
from pkgutil import iter_modules

from rules.core.game import AnyGame, Game, IllegalMove, Outcome, Seat

__all__ = ["GAMES", "Game", "IllegalMove", "Outcome", "Seat"]

_MODULES = [import_module(f"{__name__}.{name}") for name in sorted(module.name for module in iter_modules(__path__))]

GAMES: Mapping[str, AnyGame] = {module.GAME.slug: module.GAME for module in _MODULES if hasattr(module, "GAME")}
