"""The rules of the games: pure, the standard library and itself, nothing else.

`GAMES` maps a game's slug to its rules. A game is found because its module lies in this folder and has a `GAME`.
"""

from importlib import import_module
from pkgutil import iter_modules

from rules.core.game import Game

GAMES: dict[str, Game] = {
    game.slug: game
    for game in (
        import_module(f"{__name__}.{module.name}").GAME
        for module in sorted(iter_modules(__path__), key=lambda module: module.name)
        if not module.ispkg
    )
}
