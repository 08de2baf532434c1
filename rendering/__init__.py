"""Views as pictures and words: the only importer of PIL. One package a game, found by being there.

A game's package (picture.py, words.py, choices.py) has, with V its View and E its events:

- `paint(view: V, labels, focus=()) -> Page`: a page, 1,200 pixels wide, of what the viewer may know: the table for an
  onlooker's view, the viewer's own hand (with what it needs of the table) for a seat's. `focus` is the path of a
  choice under way (see `prompt`), to be shown lit. The page depends on nothing else.
- `paint_cover(labels) -> Page`: the picture of a lobby.
- `paint_last(view: V, labels) -> Page | None`: the last trick or reveal, where there is one that may be looked at.
- `last_text(view: V, labels) -> str`: what `paint_last` shows, in words.
- `describe(view: V, labels) -> str`: the alt text, at most 1,024 characters, telling all that the picture tells.
- `transcript(view: V, labels) -> str`: the same without a limit, for people who cannot see pictures.
- `tell(event: E, labels) -> str`: a sentence of what happened, "" for what needs no sentence.
- `score(view: V, labels) -> str`: a line a seat (or side): who stands where.
- `prompt(view: V, moves, path, labels) -> Prompt`: how the legal moves are offered (rendering/core/prompts.py).
- `word(view: V, move, labels) -> str`: a move in the game's words, at most 80 characters: a button, an autocomplete.
- `rules(deck, labels) -> str`: the rules as a page of Discord's markdown, at most 3,500 characters, with the values of
  this deck table.
- `COLOURS` and `PALETTE_SIZE`: what its palette (rendering/palettes/<slug>.bin) has exactly, and how many in all.

`renderer` gives all of these, and the files made of the pages, alike for every game:

- `draw(view: V, labels, focus=()) -> bytes`: the page of `paint` as a PNG. The bytes depend on nothing else.
- `cover(labels) -> bytes`: that of `paint_cover`.
- `last(view: V, labels) -> tuple[bytes, str] | None`: that of `paint_last`, and its alt text.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from types import SimpleNamespace
from typing import Any

from rendering.core.labels import Labels
from rendering.core.words import ALT_TEXT, within
from rules import GAMES
from rules.core.game import Seat

_NAMES = {
    "picture": ("COLOURS", "PALETTE_SIZE", "paint", "paint_cover", "paint_last"),
    "words": ("describe", "last_text", "rules", "score", "tell", "transcript"),
    "choices": ("prompt", "word"),
}


@cache
def renderer(slug: str) -> SimpleNamespace:
    """What draws this game and tells it: the names above. KeyError for a game that is not there."""
    package = f"{__name__}.{GAMES[slug].slug}"
    parts = {part: import_module(f"{package}.{part}") for part in _NAMES}
    found = SimpleNamespace(**{name: getattr(parts[part], name) for part, names in _NAMES.items() for name in names})

    def draw(view: Any, labels: Labels, focus: Sequence[str] = ()) -> bytes:
        png: bytes = found.paint(view, labels, focus).png()
        return png

    def cover(labels: Labels) -> bytes:
        png: bytes = found.paint_cover(labels).png()
        return png

    def last(view: Any, labels: Labels) -> tuple[bytes, str] | None:
        page = found.paint_last(view, labels)
        if page is None:
            return None
        return page.png(), within(ALT_TEXT, labels, lambda labels: found.last_text(view, labels))

    found.draw, found.cover, found.last = draw, cover, last
    return found


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
