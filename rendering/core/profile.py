"""The picture of what a person's finished matches amount to, on the stage of the game that they play most."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from rendering.core import lettering, theme
from rendering.core.art import art, dimmed, vignette
from rendering.core.canvas import MOST_FILE_BYTES, WIDTH, Page
from rendering.core.discs import disc, short_name
from rendering.core.formatting import ALT_TEXT_LIMIT, drawable_name, fit_text
from rendering.core.labels import Labels
from rendering.core.paper import RUST, bar, place_paper
from rendering.core.result import Setting, headline
from rendering.core.sprites import Pixels, mix, pixels, sprite
from rendering.core.story import capital
from rules import GAMES

MOST_ROWS = 5
"""Games and rivals at most."""
MOST_HONOURS = 3
TOP = 500
"""The upper edge of the paper."""
HEAD, ROW, HONOUR = 84, 96, 136
"""The heights of a list's heading, of a row in it, and of the honours."""
DISC = 214
RIVALS_WIDTH = 452
COUNTED = 130
"""The room of how many matches were won and played."""


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


def paint_profile(setting: Setting, showing: Showing, labels: Labels) -> Page:
    """Return the page: the person in a wreath with their best figure, and on paper their games, rivals and honours."""
    games, rivals = showing.games[:MOST_ROWS], showing.rivals[:MOST_ROWS]
    honours = showing.honours[:MOST_HONOURS]
    tall = HEAD + ROW * max(len(games), len(rivals)) + 20
    foot = TOP + tall + (HONOUR if honours else 0)
    ground = dimmed(setting.ground, lights=((296, DISC, TOP),), hidden=foot - TOP)
    page = Page(setting.slug, foot + theme.MARGIN, ground, MOST_FILE_BYTES)
    headline(page, setting, drawable_name(labels, 0), showing.summary)
    _person(page, setting, showing, labels)
    place_paper(page, TOP, foot - TOP)
    left, wide = theme.MARGIN + 36, WIDTH - 2 * theme.MARGIN - 72
    if rivals:
        wide -= RIVALS_WIDTH
        _rivals(page, rivals, labels, left + wide + 40, RIVALS_WIDTH - 40)
    _games(page, games, labels, left, wide)
    x, end = theme.MARGIN + 30, WIDTH - theme.MARGIN - 24
    for number, honour in enumerate(honours):
        wide = 84 + max(lettering.width(text, theme.SMALL) for text in honour)
        if x + wide <= end:  # the rest is in the alt text
            _honour(page, honour, x, TOP + tall + 40, wide)
            x += max(wide + 26, (end - x) // (1 + len(honours) - number))
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


def _person(page: Page, setting: Setting, showing: Showing, labels: Labels) -> None:
    """Place the person's disc in a wreath of laurel, and beside it the figures, the first one large."""
    page.place(art("common/laurel", 330), 296, 328, "mm")
    page.place(disc(labels, 0, DISC), 296, 318, "mm")
    left, room = 520, WIDTH - 520 - theme.MARGIN
    told = [found for found in showing.figures if found.figure != "0"] or showing.figures
    for (figure, caption), y, most in zip(told, (262, 416), (132, 62), strict=False):
        x = left
        if y > 300:
            page.place(art("common/hourglass", 66), left, y, "lm")
            x += 86
        words = left + room - x - 24 - lettering.width(caption, theme.SMALL)
        size = lettering.fitting(figure, most, 46, words, setting.face)
        x += page.text(x, y, figure, size, theme.BRASS_LIGHT, 360, face=setting.face, halo=setting.dark) + 24
        fits = lettering.fitting(caption, 46, theme.SMALL, left + room - x)
        page.text(x, y + (size - fits) * 0.2, caption, fits, theme.CREAM, left + room - x, halo=setting.dark)


def _games(page: Page, games: Sequence[GameRow], labels: Labels, left: int, wide: int) -> None:
    """List the games: of each its vignette, and a bar as long as its matches, with the part that was won in wax."""
    page.text(left, TOP + 46, labels.say("profile.games"), theme.SMALL, RUST, wide)
    most, slugs = max(row.matches for row in games), {game.title: slug for slug, game in GAMES.items()}
    for number, row in enumerate(games):
        y, at, right = TOP + HEAD + ROW * number, left + 100, left + wide - 10
        page.place(vignette(slugs.get(row.title, ""), 84), left, y + 44, "lm")
        noted = page.text(right, y + 22, row.note, theme.SMALL, RUST, 300, "rm") if row.note else 0
        page.text(at, y + 22, row.title, theme.SMALL, theme.INK, right - at - noted - 14)
        page.text(right, y + 66, f"{row.won} / {row.matches}", theme.SMALL, theme.INK, 200, "rm")
        room = right - at - COUNTED
        page.place(_bar(room, max(34, room * row.matches // most), room * row.won // most), at, y + 66, "lm")


def _rivals(page: Page, rivals: Sequence[RivalRow], labels: Labels, left: int, wide: int) -> None:
    """List the rivals with the score against each."""
    page.text(left, TOP + 46, labels.say("profile.rivals"), theme.SMALL, RUST, wide)
    for number, row in enumerate(rivals):
        y = TOP + HEAD + ROW * number + 44
        page.place(disc(labels, row.seat, 80), left, y, "lm")
        size = page.text(left + wide, y, row.score, theme.BODY, RUST, 190, "rm")
        room = wide - 96 - size - 14
        page.text(left + 96, y, short_name(labels, row.seat, theme.SMALL, room), theme.SMALL, theme.INK, room)


def _honour(page: Page, honour: Figure, left: int, top: int, wide: int) -> None:
    """Place an honour behind its medal."""
    page.place(art("common/medal", 70), left, top + 2, "lm")
    for line, text, ink in ((-24, honour.caption, theme.INK), (24, honour.figure, RUST)):
        page.text(left + 80, top + line, text, theme.SMALL, ink, wide)


@sprite
def _bar(room: int, matches: int, won: int) -> Pixels:
    """A bar in a groove: pale, as long as the matches, and in wax as far as they were won."""
    whole = bar(room, 30, matches, mix(theme.PAPER_EDGE, theme.PAPER, 0.4)).layer
    if won >= 30:
        whole.alpha_composite(bar(room, 30, won, theme.BRASS).layer.crop((0, 0, won, 30)))
    return pixels(whole)
