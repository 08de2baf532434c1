"""Views as pictures and words: the only importer of PIL. One package a game, found by being there.

A game's package (picture.py, words.py) has, with V its View and E its events:

- `draw(view: V, labels, focus=()) -> bytes`: a PNG, 1,200 pixels wide, of what the viewer may know: the table for an
  onlooker's view, the viewer's own hand (with what it needs of the table) for a seat's. `focus` is the path of a
  choice under way (see `prompt`), to be shown lit. The bytes depend on nothing else.
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
- `paint(view, labels, focus=())`, `paint_cover(labels)`, `paint_last(view, labels)`: the pages that become these PNGs.
- `COLOURS` and `PALETTE_SIZE`: what its palette (rendering/palettes/<slug>.bin) has exactly, and how many in all.
"""

from importlib import import_module
from types import SimpleNamespace

from rules import GAMES

_NAMES = {
    "picture": ("COLOURS", "PALETTE_SIZE", "cover", "draw", "last", "paint", "paint_cover", "paint_last"),
    "words": ("describe", "prompt", "rules", "score", "tell", "transcript", "word"),
}


def renderer(slug: str) -> SimpleNamespace:
    """What draws this game and tells it: the names above. KeyError for a game that is not there."""
    package = f"{__name__}.{GAMES[slug].slug}"
    parts = {part: import_module(f"{package}.{part}") for part in _NAMES}
    return SimpleNamespace(**{name: getattr(parts[part], name) for part, names in _NAMES.items() for name in names})
