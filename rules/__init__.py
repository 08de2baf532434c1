"""The rules of the games. They are pure: they import only the standard library and each other.

`GAMES` maps a game's slug to its rules. It finds each module or package of this folder that has a `GAME`. `LESSONS`
maps a game's slug to its first lesson, for each game with a `lesson.py`.
"""

from collections.abc import Mapping
from importlib import import_module
from pkgutil import iter_modules

from rules.core.game import AnyGame, Game, IllegalMove, Outcome, Seat
from rules.core.lesson import AnyLesson

__all__ = ["GAMES", "LESSONS", "Game", "IllegalMove", "Outcome", "Seat"]

_MODULES = [import_module(f"{__name__}.{name}") for name in sorted(module.name for module in iter_modules(__path__))]

GAMES: Mapping[str, AnyGame] = {module.GAME.slug: module.GAME for module in _MODULES if hasattr(module, "GAME")}

LESSONS: Mapping[str, AnyLesson] = {
    module.GAME.slug: import_module(f"{module.__name__}.lesson").LESSON
    for module in _MODULES
    if hasattr(module, "GAME")
    and any(found.name == "lesson" for found in iter_modules(getattr(module, "__path__", [])))
}
