"""The picture of what a person's finished matches amount to, on the stage of the game that they play most."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from rendering.core import lettering, theme
from rendering.core.art import art, dimmed, shadow, vignette
from rendering.core.canvas import MOST_FILE_BYTES, WIDTH, Page
from rendering.core.discs import disc
from rendering.core.formatting import ALT_TEXT_LIMIT, drawable_name, fit_text
from rendering.core.labels import Labels
from rendering.core.paper import RUST, place_paper, wrapped
from rendering.core.result import LINE, SCORE_AT, by_turns, place_floor, place_row, spread, step
from rendering.core.story import capital
from rules import GAMES

if TYPE_CHECKING:
    from rendering.core.renderer import AnyRenderer

MOST_ROWS = 5
"""Games at most."""
PAPER, SEAL = (28, 430), (248, 240)
"""The upper edge and the height of the certificate, and the middle of its seal."""
LAUREL, DISC, MIDDLE, BEST = 316, 204, 776, 54
"""The sizes of the seal and of the disc in it, the middle of the words, and the type of what the best figure says."""
HEADING, FOOT, HIGHEST, LEAST_TALL = 486, 850, 160, 70
"""The line above the games, that on which they stand, and the greatest and the least height of their steps."""
VIGNETTE = 184
"""The size of a game's picture."""


class Figure(NamedTuple):
    """A figure and what it says."""

    figure: str
    caption: str


class GameRow(NamedTuple):
    """A game: how many matches, and how many of them won."""

    title: str
    matches: int
    won: int


@dataclass(frozen=True, slots=True)
class Showing:
    """What the picture shows of the person whose name and disc are those of seat 0 of the labels."""

    summary: str
    best: Figure
    games: tuple[GameRow, ...]


def paint_profile(game: AnyRenderer, showing: Showing, labels: Labels) -> Page:
    """Return the page: a certificate of the person and their best figure, and their games, each on a step as high as
    they have played it often.
    """
    games, each = showing.games[:MOST_ROWS], (WIDTH - 2 * theme.MARGIN) // MOST_ROWS
    height = FOOT + SCORE_AT + LINE * by_turns([row.title for row in games], each) + 40
    page = Page(game.palette, height, dimmed(game.ground), MOST_FILE_BYTES)
    place_floor(page, game, FOOT, height)
    _certify(page, game, showing, labels)
    text = labels.say("profile.games")
    page.text(WIDTH / 2, HEADING, text, theme.SMALL, theme.CREAM, WIDTH, "mm", halo=game.DARK)
    slugs, most = {known.title: slug for slug, known in GAMES.items()}, max(row.matches for row in games)
    for row, x in zip(games, spread(len(games), each), strict=True):
        tall = LEAST_TALL + (HIGHEST - LEAST_TALL) * row.matches // most
        page.place(shadow(each - 12), x, FOOT, "mm")
        page.place(step(game, each - 12, tall), x, FOOT, "mb")
        page.place(vignette(slugs.get(row.title, ""), VIGNETTE), x, FOOT - tall + 12, "mb")
    place_row(page, game, FOOT, each, [(f"{row.won} / {row.matches}", row.title, row == games[0]) for row in games])
    return page


def describe_profile(showing: Showing, labels: Labels) -> str:
    """Return the same in words, as the alt text."""
    told = [
        (labels.name(0), showing.summary),
        (capital(showing.best.caption), showing.best.figure),
        *((row.title, f"{row.won} / {row.matches}") for row in showing.games[:MOST_ROWS]),
    ]
    lines = [labels.say("pair", name=name, value=value) + "." for name, value in told]
    return fit_text(ALT_TEXT_LIMIT, labels, lambda _: " ".join(lines))


def _certify(page: Page, game: AnyRenderer, showing: Showing, labels: Labels) -> None:
    """Lay a certificate: the person's disc in a wreath of laurel as its seal, the name, and the best figure."""
    top, height = PAPER
    place_paper(page, top, height)
    page.place(art("common/flourish"), WIDTH / 2, top + height / 2 - 2, "mm")
    page.place(art("common/laurel", LAUREL), *SEAL, "mm")
    page.place(disc(labels, 0, DISC), SEAL[0], SEAL[1] - 10, "mm")
    name, room = drawable_name(labels, 0), 2 * (WIDTH - theme.MARGIN - 40 - MIDDLE)
    size = lettering.fitting(name, 116, theme.HEADING, room, game.FACE)
    page.text(MIDDLE, top + 92, name, size, theme.INK, room, "mm", game.FACE)
    size = lettering.fitting(showing.summary, theme.HEADING, theme.SMALL, room)
    page.text(MIDDLE, top + 176, showing.summary, size, theme.INK_SOFT, room, "mm")
    figure, caption = showing.best
    size = lettering.fitting(figure, 180, 60, room * 2 // 3, game.FACE)
    wide = lettering.width(figure, size, game.FACE) + 30
    lines = wrapped(caption, BEST, max(room - wide, room // 3))
    left = MIDDLE - (wide + max(lettering.width(line, BEST) for line in lines)) / 2
    page.text(left, top + 288, figure, size, RUST, room, "lm", game.FACE)
    for number, line in enumerate(lines):
        y = top + 288 + 60 * (number - (len(lines) - 1) / 2)
        page.text(left + wide, y, line, BEST, theme.INK, room - wide, squeezed=theme.SQUEEZED)
