"""The picture of what a person's finished matches amount to, on the stage of the game that they play most."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from PIL import Image

from rendering.core import lettering, theme
from rendering.core.canvas import WIDTH, Page
from rendering.core.chrome import NIGHT
from rendering.core.discs import disc, short_name
from rendering.core.formatting import ALT_TEXT_LIMIT, drawable_name, fit_text
from rendering.core.labels import Labels
from rendering.core.result import headline
from rendering.core.score_chart import SLATE
from rendering.core.sprites import Pen, Pixels, mix, sprite
from rendering.core.story import capital

MOST_ROWS = 5
"""Games and rivals at most."""
MOST_HONOURS = 3
TOP = 424
"""The upper edge of the lists."""
HEAD, ROW = 70, 88
"""The heights of a list's heading and of a row in it."""
HONOUR = 112
DISC = 196
RIVALS_WIDTH = 446


class Figure(NamedTuple):
    """A figure and what it says."""

    figure: str
    caption: str


class GameRow(NamedTuple):
    """A game: how many matches, how many of them won, and what else there is to say."""

    title: str
    matches: int
    won: int
    note: str = ""


class RivalRow(NamedTuple):
    """A rival, whose name and disc are those of that seat of the labels, and the score: "7 : 4"."""

    seat: int
    score: str


@dataclass(frozen=True, slots=True)
class Showing:
    """What the picture shows of the person whose name and disc are those of seat 0 of the labels."""

    summary: str
    figures: tuple[Figure, ...]
    """At most two."""
    games: tuple[GameRow, ...]
    rivals: tuple[RivalRow, ...] = ()
    honours: tuple[Figure, ...] = ()
    """How often each was won, and its title."""


def paint_profile(slug: str, ground: Callable[[int, int], Image.Image], showing: Showing, labels: Labels) -> Page:
    """Return the page: the person between two figures, their games and rivals, and their honours."""
    games, rivals = showing.games[:MOST_ROWS], showing.rivals[:MOST_ROWS]
    honours = showing.honours[:MOST_HONOURS]
    tall = HEAD + ROW * max(len(games), len(rivals))
    foot = TOP + tall + theme.MARGIN
    page = Page(slug, foot + (HONOUR + theme.MARGIN if honours else 0), ground)
    headline(page, drawable_name(labels, 0), showing.summary)
    _person(page, showing, labels)
    left, wide = theme.MARGIN, WIDTH - 2 * theme.MARGIN
    if rivals:
        wide -= RIVALS_WIDTH + theme.GAP
        _rivals(page, rivals, labels, (left + wide + theme.GAP, TOP, RIVALS_WIDTH, tall))
    _games(page, games, labels, (left, TOP, wide, tall))
    if honours:
        wide = (WIDTH - 2 * theme.MARGIN - theme.GAP * (len(honours) - 1)) // len(honours)
        for number, honour in enumerate(honours):
            _honour(page, honour, (left + number * (wide + theme.GAP), foot - theme.MARGIN + theme.GAP, wide))
    return page


def describe_profile(showing: Showing, labels: Labels) -> str:
    """Return the same in words, as the alt text."""
    lines = [
        f"{labels.name(0)}: {showing.summary}.",
        *(f"{capital(caption)}: {figure}." for figure, caption in showing.figures),
        *(". ".join(filter(None, (_told(row), row.note))) + "." for row in showing.games[:MOST_ROWS]),
        *(f"{labels.name(0)} {row.score} {labels.name(row.seat)}." for row in showing.rivals[:MOST_ROWS]),
        *(f"{caption}: {figure}." for figure, caption in showing.honours[:MOST_HONOURS]),
    ]
    return fit_text(ALT_TEXT_LIMIT, labels, lambda _: " ".join(lines))


def _told(row: GameRow) -> str:
    return f"{row.title}: {row.won} / {row.matches}"


def _person(page: Page, showing: Showing, labels: Labels) -> None:
    """Place the person's disc in the middle, and a figure on each side."""
    y = 296
    page.shade(WIDTH // 2 - DISC // 2, y - DISC // 2, DISC, DISC, DISC // 2, 9, 150)
    page.place(disc(labels, 0, DISC), WIDTH / 2, y, "mm")
    wide, tall = 400, 150
    for number, (figure, caption) in enumerate(showing.figures[:2]):
        x = theme.MARGIN + 40 if number == 0 else WIDTH - theme.MARGIN - 40 - wide
        page.shade(x, y - tall // 2, wide, tall, 30, 2, 200, NIGHT, 0)
        page.text(x + wide / 2, y - 30, figure, 72, theme.BRASS_LIGHT, wide - 40, "mm")
        size = lettering.fitting(caption, theme.BODY, theme.SMALL, wide - 40)
        page.text(x + wide / 2, y + 42, caption, size, theme.CREAM, wide - 40, "mm")


def _panel(page: Page, title: str, box: tuple[int, int, int, int]) -> None:
    left, top, wide, tall = box
    page.shade(left, top, wide, tall, 30, 2, 215, NIGHT, 0)
    page.text(left + 26, top + 38, title, theme.BODY, theme.BRASS_LIGHT, wide - 52)


def _games(page: Page, games: Sequence[GameRow], labels: Labels, box: tuple[int, int, int, int]) -> None:
    """List the games: of each a bar as long as its matches, with the part that was won in brass."""
    left, top, wide, _ = box
    _panel(page, labels.say("profile.games"), box)
    most = max(row.matches for row in games)
    room = wide - 52
    for number, row in enumerate(games):
        y = top + HEAD + ROW * number
        right = left + wide - 26
        told = f"{row.won} / {row.matches}"
        size = page.text(right, y + 18, told, theme.SMALL, theme.CREAM, 200, "rm")
        noted = page.text(right - size - 24, y + 18, row.note, theme.SMALL, theme.BRASS_LIGHT, 300, "rm")
        page.text(left + 26, y + 18, row.title, theme.SMALL, theme.CREAM, room - size - noted - 60)
        page.place(_bar(room, room * row.matches // most, room * row.won // most), left + 26, y + 46)


def _rivals(page: Page, rivals: Sequence[RivalRow], labels: Labels, box: tuple[int, int, int, int]) -> None:
    """List the rivals with the score against each."""
    left, top, wide, _ = box
    _panel(page, labels.say("profile.rivals"), box)
    for number, row in enumerate(rivals):
        y = top + HEAD + ROW * number + 34
        page.place(disc(labels, row.seat, 72), left + 26, y, "lm")
        size = page.text(left + wide - 26, y, row.score, theme.BODY, theme.BRASS_LIGHT, 190, "rm")
        room = wide - 26 - 72 - 18 - size - 26 - 18
        name = short_name(labels, row.seat, theme.SMALL, room)
        page.text(left + 26 + 72 + 18, y, name, theme.SMALL, theme.CREAM, room)


def _honour(page: Page, honour: Figure, box: tuple[int, int, int]) -> None:
    x, y, wide = box
    page.shade(x, y, wide, HONOUR, 30, 2, 200, NIGHT, 0)
    size = lettering.fitting(honour.caption, theme.BODY, theme.SMALL, wide - 40)
    page.text(x + wide / 2, y + 34, honour.caption, size, theme.BRASS_LIGHT, wide - 40, "mm")
    page.text(x + wide / 2, y + 80, honour.figure, theme.SMALL, theme.CREAM, wide - 40, "mm")


@sprite
def _bar(room: int, matches: int, won: int) -> Pixels:
    """A bar in a groove: as long as the matches, and in brass as far as they were won."""
    pen = Pen(room, 24)
    pen.box(0, 0, room, 24, 12, mix(SLATE, NIGHT, 0.6))
    pen.box(0, 0, max(24, matches), 24, 12, mix(SLATE, theme.CREAM, 0.35))
    if won:
        pen.box(0, 0, max(24, won), 24, 12, theme.BRASS)
    return pen.pixels()
