"""The picture of what a person's finished matches amount to, on the stage of the game that they play most."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from rendering.core import lettering, theme
from rendering.core.art import art, dimmed, vignette
from rendering.core.canvas import MOST_FILE_BYTES, WIDTH, Page
from rendering.core.discs import disc
from rendering.core.formatting import ALT_TEXT_LIMIT, drawable_name, fit_text
from rendering.core.labels import Labels
from rendering.core.result import LINE, NAME_AT, Setting, by_turns, headline, place_row, spread
from rendering.core.story import capital
from rules import GAMES

MOST_ROWS = 5
"""Games at most."""
DISC = 214
FOOT, HIGHEST, LEAST_TALL = 830, 190, 80
"""The line on which the games stand, and the greatest and the least height of their steps."""
VIGNETTE = 140
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


def paint_profile(setting: Setting, showing: Showing, labels: Labels) -> Page:
    """Return the page: the person in a wreath with their best figure, and their games, each on a step as high as they
    have played it often.
    """
    games, each = showing.games[:MOST_ROWS], (WIDTH - 2 * theme.MARGIN) // MOST_ROWS
    height = FOOT + NAME_AT + LINE * by_turns([row.title for row in games], each) + 40
    page = Page(setting.slug, height, dimmed(setting.ground, lights=((296, DISC, FOOT),)), MOST_FILE_BYTES)
    headline(page, setting, drawable_name(labels, 0), showing.summary)
    _person(page, setting, showing.best, labels)
    slugs, most = {game.title: slug for slug, game in GAMES.items()}, max(row.matches for row in games)
    for number, (row, x) in enumerate(zip(games, spread(len(games), each), strict=True)):
        tall = LEAST_TALL + (HIGHEST - LEAST_TALL) * row.matches // most
        page.place(setting.podium(each - 12, tall, min(number, 2)), x, FOOT, "mb")
        page.place(vignette(slugs.get(row.title, ""), VIGNETTE), x, FOOT - tall + 12, "mb")
    place_row(page, setting, FOOT, each, [(f"{row.won} / {row.matches}", row.title, row == games[0]) for row in games])
    text, right = labels.say("profile.games"), WIDTH - theme.MARGIN
    page.text(right, FOOT - HIGHEST - VIGNETTE - 22, text, theme.SMALL, theme.CREAM, WIDTH, "rm", halo=setting.dark)
    return page


def describe_profile(showing: Showing, labels: Labels) -> str:
    """Return the same in words, as the alt text."""
    lines = [
        f"{labels.name(0)}: {showing.summary}.",
        f"{capital(showing.best.caption)}: {showing.best.figure}.",
        *(f"{row.title}: {row.won} / {row.matches}." for row in showing.games[:MOST_ROWS]),
    ]
    return fit_text(ALT_TEXT_LIMIT, labels, lambda _: " ".join(lines))


def _person(page: Page, setting: Setting, best: Figure, labels: Labels) -> None:
    """Place the person's disc in a wreath of laurel, and beside it their best figure."""
    page.place(art("common/laurel", 330), 296, 328, "mm")
    page.place(disc(labels, 0, DISC), 296, 318, "mm")
    left, room = 540, WIDTH - 540 - theme.MARGIN
    size = lettering.fitting(best.figure, 220, 60, room, setting.face)
    page.text(left, 290, best.figure, size, theme.BRASS_LIGHT, room, face=setting.face, halo=setting.dark)
    size = lettering.fitting(best.caption, 54, theme.SMALL, room)
    page.text(left, 420, best.caption, size, theme.CREAM, room, halo=setting.dark)
