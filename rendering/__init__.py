"""Views as pictures and words: the only importer of PIL.

`renderer(slug)` returns the renderer of a game, which draws it and puts it in words: the `RENDERER` of the package
rendering/<slug>. rendering/core/renderer.py has the functions of a renderer and their defaults.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module

from rendering.core.emoji import file
from rendering.core.labels import Labels
from rendering.core.pixel_cache import brief, return_memory
from rendering.core.renderer import Renderer
from rules import GAMES
from rules.core.game import Move, Seat, View

__all__ = ["Renderer", "emoji", "prewarm", "renderer"]


def renderer(slug: str) -> Renderer[View, Move]:
    """Return the renderer of the game with this slug. KeyError if there is no such game.

    It takes that game's views and moves only. mypy cannot check this, since it cannot infer the types from a slug.
    """
    found: Renderer[View, Move] = import_module(f"{__name__}.{GAMES[slug].slug}").RENDERER
    return found


@cache
def emoji() -> tuple[tuple[str, str, bytes], ...]:
    """Return the emoji of all games, in a fixed order: the game's slug, the key, and the PNG. To compress them takes a
    second, so it is done once.
    """
    kinds = ((slug, key, draw) for slug in sorted(GAMES) for key, draw in sorted(renderer(slug).EMOJI.items()))
    return tuple((slug, key, file(draw())) for slug, key, draw in kinds)


PREWARM_PLIES = 60
"""Plies of each imagined match: enough to draw most cards and most states of a table."""


def prewarm(slug: str, texts: Mapping[str, str]) -> Iterator[None]:
    """Draw a game's backgrounds and sprites before a player waits for them: those of imagined matches, with the fewest
    players, the most, and a number in between; a page at each step.
    """
    game, drawn = GAMES[slug], renderer(slug)
    for seats in sorted({game.seats[0], game.seats[len(game.seats) // 2], game.seats[-1]}):
        labels = Labels(tuple("ABCDEFGH"[:seats]), texts)
        state = game.new(seats, {}, slug)
        for ply in range(PREWARM_PLIES):
            asked = sorted(state.to_move())
            if not asked:
                break
            for viewer in (None, asked[0], Seat((asked[0] + 1) % seats)):
                drawn.paint(state.view(viewer), labels).prepare()
                yield
            moves = state.legal_moves(asked[0])
            state, _ = state.apply(moves[ply * 7 % len(moves)])
    brief.drop()  # mostly words about the imagined matches
    return_memory()
