"""Views as pictures and words: the only importer of PIL. One package a game, found by being there.

A game's package (picture.py, words.py) has, with V its View and E its events:

- `draw(view: V, labels, focus=()) -> bytes`: a PNG, 1,200 pixels wide, of what the viewer may know: the table for an
  onlooker's view, the viewer's own hand (with what it needs of the table) for a seat's. `focus` is the path of a
  choice under way (see `prompt`), to be shown lit. The bytes depend on nothing else.
- `paint(view: V, labels, focus=()) -> Page`: the same before it becomes a file.
- `cover(labels) -> bytes`: the picture of a lobby.
- `describe(view: V, labels) -> str`: the alt text, at most 1,024 characters, telling all that the picture tells.
- `transcript(view: V, labels) -> str`: the same without a limit, for people who cannot see pictures.
- `tell(event: E, labels) -> str`: a sentence of what happened, "" for what needs no sentence.
- `last(view: V, labels) -> tuple[bytes, str] | None`: picture and words of the last trick or reveal, where there is
  one that may be looked at.
- `score(view: V, labels) -> str`: a line a seat (or side): who stands where.
- `prompt(view: V, moves, path, labels) -> Prompt`: how the legal moves are offered (rendering/core/prompts.py).
- `word(view: V, move, labels) -> str`: a move in the game's words, at most 80 characters: a button, an autocomplete.
- `rules(deck, labels) -> str`: the rules as a page of Discord's markdown, at most 3,500 characters, with the values of
  this deck table.
- `paint_cover(labels)` and `paint_last(view, labels)`: the pages of those two.
- `COLOURS` and `PALETTE_SIZE`: what its palette (rendering/palettes/<slug>.bin) has exactly, and how many in all.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from types import SimpleNamespace

from rendering.core.labels import Labels
from rules import GAMES
from rules.core.game import Seat

_NAMES = {
    "picture": ("COLOURS", "PALETTE_SIZE", "cover", "draw", "last", "paint", "paint_cover", "paint_last"),
    "words": ("describe", "prompt", "rules", "score", "tell", "transcript", "word"),
}


@cache
def renderer(slug: str) -> SimpleNamespace:
    """What draws this game and tells it: the names above. KeyError for a game that is not there."""
    package = f"{__name__}.{GAMES[slug].slug}"
    parts = {part: import_module(f"{package}.{part}") for part in _NAMES}
    return SimpleNamespace(**{name: getattr(parts[part], name) for part, names in _NAMES.items() for name in names})


REHEARSED = 60
"""Plies of each imagined match: most cards come up, and most of what a table can look like."""


def rehearsal(slug: str, texts: Mapping[str, str]) -> Iterator[None]:
    """Draw the sprites of a game before somebody waits for them: paint imagined matches, a page at each step."""
    game, drawn = GAMES[slug], renderer(slug)
    for seats in {game.seats[0], game.seats[-1]}:
        labels = Labels(tuple("ABCDEFGH"[:seats]), texts)
        state = game.new(seats, {}, slug)
        for ply in range(REHEARSED):
            asked = sorted(state.to_move())
            if not asked:
                break
            for viewer in (None, asked[0], Seat((asked[0] + 1) % seats)):
                drawn.paint(state.view(viewer), labels)
                yield
            moves = state.legal_moves(asked[0])
            state, _ = state.apply(moves[ply * 7 % len(moves)])
