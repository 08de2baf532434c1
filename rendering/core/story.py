"""How a match went, told when it is over: a picture made to be posted, and its words.

Each game fills in a `Story`; the picture is the same for all, in the game's own ground and colours.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from PIL import Image

from rendering.core import lettering, theme
from rendering.core.canvas import WIDTH, Page
from rendering.core.chrome import NIGHT, crown, place_header
from rendering.core.discs import COLOURS, disc, short_name
from rendering.core.formatting import ALT_TEXT_LIMIT, drawable_name, fit_text, signed
from rendering.core.labels import Labels, with_minus_sign
from rendering.core.score_chart import SLATE, Chart, drawn
from rendering.core.sprites import Colour, Pen, Pixels, mix, sprite
from rules.core.game import Outcome

HEIGHT = 1200
MOST_PLACES = 8
MOST_HONOURS = 3
STEPS = (164, 142, 122)
"""The heights of the podium's steps."""
FOOT = 640
"""The line below the podium."""
WINNER_SIZE = 196
WINNER_AT = (600, FOOT - STEPS[0] - 6 - WINNER_SIZE // 2)
"""The middle of the winner's disc."""
METALS: tuple[Colour, ...] = (theme.BRASS, (196, 202, 211), (200, 138, 98))
"""Gold, silver, bronze."""


@dataclass(frozen=True, slots=True)
class Place:
    """A seat or a team in the final order."""

    seats: tuple[int, ...]
    rank: int
    """1 for the first; equal for those who share a place."""
    won: bool
    score: str
    """With its noun: "4 VP"."""
    course: tuple[int, ...]
    """The score at the start and after each round."""


@dataclass(frozen=True, slots=True)
class Honour:
    """Something that a seat did best in this match."""

    seats: tuple[int, ...]
    title: str
    detail: str


@dataclass(frozen=True, slots=True)
class Story:
    """What is told of a match that is over. `places` are in their order, the winners first."""

    places: tuple[Place, ...]
    reason: str
    """What the scores do not tell of why the first one won, such as how a tie was broken; "" if they tell all."""
    honours: tuple[Honour, ...]
    rounds: str
    """How long it was: "6 rounds"."""
    lowest_wins: bool = False
    """Whether a low score is better than a high one. The chart has the best score on top."""


def places(
    scores: Sequence[int],
    written: Sequence[str],
    courses: Sequence[tuple[int, ...]],
    winners: Collection[int],
    sides: Sequence[tuple[int, ...]] = (),
) -> tuple[Place, ...]:
    """Return the places by score, the highest first, each with its score as it is written and its course. `sides`: the
    seats of each, if they are not one seat each; all else is by side.
    """
    return tuple(
        Place(sides[at] if sides else (at,), rank, at in winners, written[at], courses[at])
        for rank, at in ranked(scores, winners)
    )


def courses(rounds: Sequence[Sequence[int]], count: int) -> list[tuple[int, ...]]:
    """Return each side's score at the start and after each round, from all scores after each round."""
    return [(0, *(scores[at] for scores in rounds)) for at in range(count)]


def ranked(scores: Sequence[int], winners: Collection[int]) -> list[tuple[int, int]]:
    """Return (rank, index) of each score, the winners first, then the higher score."""
    order = sorted(range(len(scores)), key=lambda at: (at not in winners, -scores[at], at))
    ranks: list[tuple[int, int]] = []
    for place, at in enumerate(order):
        before = order[place - 1] if place else None
        shared = before is not None and (scores[at], at in winners) == (scores[before], before in winners)
        ranks.append((ranks[-1][0] if shared else place + 1, at))
    return ranks


def best(figures: Sequence[int], least: int = 1) -> tuple[int, ...]:
    """Return who has the highest figure, if it is at least `least`; () if none has, or if all have the same."""
    top = max(figures, default=0)
    found = tuple(at for at, figure in enumerate(figures) if figure == top)
    return found if top >= least and len(found) < len(figures) else ()


def honour(
    labels: Labels,
    key: str,
    figures: Sequence[int],
    unit: str,
    sides: Sequence[tuple[int, ...]] = (),
    *,
    negative: bool = False,
) -> tuple[Honour, ...]:
    """Return the honour of the highest figure; () if nobody stands out (`best`). Its title is the text `honour.<key>`,
    and the text `count.<unit>` writes the figure. `sides`: as in `places`. `negative`: the figures lost their minus.
    """
    if not (found := best(figures)):
        return ()
    seats = tuple(seat for at in found for seat in (sides[at] if sides else (at,)))
    figure = -figures[found[0]] if negative else figures[found[0]]
    return (Honour(seats, labels.say(f"honour.{key}"), labels.count(unit, figure)),)


def reason(outcome: Outcome | None, reasons: Collection[str], labels: Labels) -> str:
    """Return why the match ended as it did, if for one of these reasons, which the scores do not tell; else ""."""
    return labels.say(f"outcome.{outcome.reason}") if outcome is not None and outcome.reason in reasons else ""


def capital(text: str) -> str:
    """Return the text with a capital letter: elsewhere it follows a colon."""
    return text[:1].upper() + text[1:]


# The picture


def paint_story(slug: str, ground: Callable[[int, int], Image.Image], story: Story, labels: Labels) -> Page:
    """Return the page: the winner under a crown, the podium, the scores by round, and the honours."""
    page = Page(slug, HEIGHT, ground)
    page.place(_rays(), WIDTH / 2, 30, "mt")
    page.shade(-20, -40, WIDTH + 40, 144, 20, 16, 190, NIGHT, 0)
    page.text(theme.MARGIN + 12, 52, labels.say("game.title"), 60, theme.BRASS_LIGHT, 700, "lm", lettering.DISPLAY)
    page.text(WIDTH - theme.MARGIN - 12, 52, story.rounds, theme.BODY, theme.CREAM, 420, "rm")
    _podium(page, story, labels)
    _table(page, story, labels)
    for number, honour in enumerate(story.honours[:MOST_HONOURS]):
        _honour(page, honour, labels, number, len(story.honours[:MOST_HONOURS]))
    return page


ROUND_TOP = 106
"""The upper edge of the list and the chart of a round's picture."""
ROUND_ROW = 160
"""The most pixels for a row of its list."""
ROUND_TALL = (336, 470)
"""The least and the most pixels for its list, and for the chart beside it."""


def paint_round(slug: str, ground: Callable[[int, int], Image.Image], story: Story, labels: Labels) -> Page:
    """Return the page of a match that goes on: the scores after a round, what the round brought, and the chart. It is
    the lower, the fewer there are.
    """
    shown = story.places[:MOST_PLACES]
    least, most = ROUND_TALL
    tall = min(most, max(least, ROUND_ROW * len(shown)))
    page = Page(slug, ROUND_TOP + tall + theme.MARGIN, ground)
    place_header(page, labels.say("story.after", rounds=story.rounds), labels.say("game.title"))
    gains = [place.course[-1] - place.course[-2] for place in shown]
    wide = 580
    _list(page, labels, shown, (theme.MARGIN, ROUND_TOP, wide, tall), gains)
    left = theme.MARGIN + wide + theme.GAP
    _place_chart(page, story, labels, (left, ROUND_TOP, WIDTH - theme.MARGIN - left, tall))
    return page


def _podium(page: Page, story: Story, labels: Labels) -> None:
    """Place the first three places on their steps, the first one in the middle under a crown."""
    for number, place in enumerate(story.places[:3]):
        middle, wide = ((600, 372), (218, 356), (982, 356))[number]
        step = min(place.rank, len(STEPS)) - 1
        top = FOOT - STEPS[step]
        page.shade(middle - wide // 2, top, wide, STEPS[step], 14, 10, 140)
        page.place(_step(wide, STEPS[step], METALS[step]), middle, top, "mt")
        size = WINNER_SIZE if number == 0 else 132
        size = _discs(page, labels, place.seats, middle, top - 6, size, wide + 10)
        if place.won:
            page.place(crown(112 if number == 0 else 78), middle, top - size - 8, "mb")
        name, line = _names(labels, place.seats, 44, wide - 28), FOOT - STEPS[step] // 2 + 4
        page.text(middle, line - 24, name, 44, theme.INK, wide - 20, "mm")
        page.text(middle, line + 24, place.score, theme.SMALL, theme.INK, wide - 20, "mm")
    if story.reason:
        page.shade(-20, FOOT + 4, WIDTH + 40, 58, 20, 8, 190, NIGHT, 0)
        page.text(WIDTH / 2, FOOT + 34, capital(story.reason), theme.SMALL, theme.CREAM, WIDTH - 80, "mm")


def _discs(page: Page, labels: Labels, seats: Sequence[int], x: int, foot: int, size: int, room: int) -> int:
    """Place the discs of a place side by side on the line `foot`; x is their middle. Return their size."""
    step = size + 8
    if len(seats) > 1:
        size = min(size, 120)
        step = min(size + 8, (room - size) // (len(seats) - 1))
    y = foot - size // 2
    left = x - step * (len(seats) - 1) / 2
    for number, seat in enumerate(seats):
        at = round(left + number * step)
        page.shade(at - size // 2, y - size // 2, size, size, size // 2, 9, 150)
        page.place(disc(labels, seat, size), at, y, "mm")
    return size


def _names(labels: Labels, seats: Sequence[int], size: int, width: int) -> str:
    """Return the names of a place, of each one only the first word if all are too wide, cut to the width."""
    if len(seats) == 1:
        return short_name(labels, seats[0], size, width)
    names = [drawable_name(labels, seat) for seat in seats]
    whole = labels.list(names)
    if lettering.width(whole, size) <= width:
        return whole
    return lettering.shorten(labels.list([name.split()[0] for name in names]), size, width)


def _table(page: Page, story: Story, labels: Labels) -> None:
    """Place the chart of scores, and beside it the places after the third."""
    top, bottom = FOOT + (66 if story.reason else 26), 1000 if story.honours else 1164
    others = story.places[3:MOST_PLACES]
    tall, left = bottom - top, theme.MARGIN
    if others:
        wide = 270 if len(others) == 1 else 480
        place = _lone_place if len(others) == 1 else _list
        place(page, labels, others, (left, top, wide, tall))
        left += wide + theme.GAP
    _place_chart(page, story, labels, (left, top, WIDTH - theme.MARGIN - left, tall))


Box = tuple[int, int, int, int]
"""Left, top, width and height."""


def _lone_place(page: Page, labels: Labels, places: Sequence[Place], box: Box) -> None:
    """Place the only one after the third upright in a narrow panel: its disc above its name and its score."""
    left, top, wide, tall = box
    (place,) = places
    page.shade(left, top, wide, tall, theme.CORNER, 2, 200, NIGHT, 0)
    middle, line = left + wide // 2, top + tall // 2 + 34
    _discs(page, labels, place.seats, middle, line, 128, wide - 24)
    page.text(left + 18, top + 34, f"{place.rank}.", theme.SMALL, theme.CREAM, 60)
    name = _names(labels, place.seats, theme.BODY, wide - 28)
    page.text(middle, line + 40, name, theme.BODY, theme.CREAM, wide - 20, "mm")
    page.text(middle, line + 84, place.score, theme.SMALL, theme.BRASS_LIGHT, wide - 20, "mm")


def _list(page: Page, labels: Labels, places: Sequence[Place], box: Box, gains: Sequence[int] = ()) -> None:
    """Place the places below each other so that they fill their panel. `gains`: what a round brought to each."""
    left, top, wide, tall = box
    page.shade(left, top, wide, tall, theme.CORNER, 2, 200, NIGHT, 0)
    step = (tall - 8) / len(places)
    for number, place in enumerate(places):
        if number:
            page.shade(left + 18, round(top + 4 + step * number) - 1, wide - 36, 2, 0, 0, 40, theme.CREAM, 0)
        line = round(top + 4 + step * (number + 0.5))
        _row(page, labels, place, (left, line, wide, int(step)), gains[number] if gains else 0)


TWO_LINES = 90
"""The least height of a row that has the score below the name."""


def _row(page: Page, labels: Labels, place: Place, box: Box, gain: int) -> None:
    """Place a row of a list: a crown or the rank, the disc, the name, the score, and what a round brought to it.
    `box`: left, middle line, width and height.
    """
    left, line, wide, tall = box
    if place.rank == 1:
        page.place(crown(46), left + 34, line, "mm")
    else:
        page.text(left + 34, line, f"{place.rank}.", theme.SMALL, theme.CREAM, 56, "mm")
    size = min(104, tall - 18) if tall >= TWO_LINES else min(64, tall - 6)
    page.place(disc(labels, place.seats[0], size), left + 66, line, "lm")
    at, end = left + 66 + size + 16, left + wide - 18
    if tall >= TWO_LINES:
        type_size, apart = (46, 25) if size >= 92 else (40, 22)
        if gain:
            end -= page.text(end, line, signed(gain), 50, theme.BRASS_LIGHT, 160, "rm") + 16
        page.text(at, line + apart, place.score, theme.BODY, theme.CREAM, end - at)
        line -= apart
    else:
        type_size = theme.BODY
        end -= page.text(end, line, place.score, type_size, theme.CREAM, 210, "rm") + 16
        if gain:
            end -= page.text(end, line, signed(gain), type_size, theme.BRASS_LIGHT, 120, "rm") + 14
    page.text(at, line, _names(labels, place.seats, type_size, end - at), type_size, theme.CREAM, end - at)


def _place_chart(page: Page, story: Story, labels: Labels, box: Box) -> None:
    """Place the chart of scores with a disc at the end of each line."""
    left, top, width, height = box
    shown = story.places[:MOST_PLACES]
    colours = [labels.disc(place.seats[0]) % len(COLOURS) for place in shown]
    courses = tuple((colour, place.course) for colour, place in zip(colours, shown, strict=True))
    chart = Chart(width, height, courses, story.lowest_wins)
    page.place(drawn(chart), left, top)
    soft = mix(SLATE, theme.CREAM, 0.7)
    page.text(left + 24, top + 32, labels.say("story.chart"), theme.SMALL, soft, width - 120)
    for value in chart.marked:
        figure = with_minus_sign(value)
        page.text(left + chart.start - 20, top + chart.line_of(value), figure, theme.SMALL, soft, 120, "rm")
    size = int(min(Chart.DISC, chart.apart))
    for place, y in zip(shown, chart.discs, strict=True):
        page.place(disc(labels, place.seats[0], size), left + chart.discs_at, top + y, "mm")


def _honour(page: Page, honour: Honour, labels: Labels, number: int, count: int) -> None:
    """Place a plate: the disc of the seat, what it did best, and the figure."""
    gap = 16
    width = (WIDTH - 2 * theme.MARGIN - (count - 1) * gap) // count
    x, y, height = theme.MARGIN + number * (width + gap), 1016, 156
    page.shade(x, y, width, height, theme.CORNER)
    page.place(_plate(width, height), x, y)
    several = len(honour.seats) > 1
    left, room = (x + 20, width - 36) if several else (x + 106, width - 114)
    size = lettering.fitting(honour.title, theme.SMALL + 1, theme.SMALL - 1, room)
    page.text(left, y + 32, honour.title, size, theme.BRASS_DARK, room)
    if several:  # all of one size: they share it
        step = min(58, room // len(honour.seats))
        for at, seat in enumerate(honour.seats):
            page.place(disc(labels, seat, min(52, step - 4)), left + step * at, y + 79, "lm")
    else:
        page.place(disc(labels, honour.seats[0], 84), x + 54, y + height / 2, "mm")
        page.text(left, y + 78, short_name(labels, honour.seats[0], theme.BODY, room), theme.BODY, theme.INK, room)
    page.text(left, y + 124, honour.detail, theme.SMALL, theme.INK_SOFT, room)


@sprite
def _rays() -> Pixels:
    """The light behind the winner: broad rays, fading outwards."""
    pen = Pen(900, 620)
    for ray in range(18):
        a, b = math.radians(ray * 20 - 4), math.radians(ray * 20 + 5)
        far = 460
        pen.polygon([(450, 330), (450 + far * math.cos(a), 330 + far * math.sin(a)),
                     (450 + far * math.cos(b), 330 + far * math.sin(b))], theme.BRASS_LIGHT)  # fmt: skip
    drawn = pen.pixels()
    light = [max(0, 118 - value) // 2 for value in range(256)]
    fade = Image.radial_gradient("L").resize((900, 900)).crop((0, 120, 900, 740)).point(light)
    return Pixels(drawn.image, Image.composite(fade, Image.new("L", fade.size), drawn.alpha))


@sprite
def _step(width: int, height: int, metal: Colour) -> Pixels:
    """A step of the podium."""
    pen = Pen(width, height)
    pen.box(0, 0, width, height + 20, 14, mix(metal, (0, 0, 0), 0.4))
    pen.box(3, 3, width - 3, height + 20, 12, metal)
    pen.box(3, 3, width - 3, 12, 6, mix(metal, (255, 255, 255), 0.5))
    return pen.pixels()


@sprite
def _plate(width: int, height: int) -> Pixels:
    pen = Pen(width, height)
    pen.box(0, 0, width, height, theme.CORNER, theme.PAPER_EDGE)
    pen.box(0, 0, width, height - 5, theme.CORNER, theme.PAPER)
    return pen.pixels()


# The words


def describe_story(story: Story, labels: Labels) -> str:
    """Return the picture in words, as its alt text."""

    def write(labels: Labels) -> str:
        def names(seats: Sequence[int]) -> str:
            return labels.list([labels.name(seat) for seat in seats])

        places = [
            labels.say("story.place", rank=place.rank, name=names(place.seats), score=place.score)
            for place in story.places
        ]
        winners = names([seat for place in story.places if place.won for seat in place.seats])
        first = labels.say("story.wins", name=winners) if winners else labels.say("story.nobody")
        honours = [
            labels.say("story.honour", title=one.title, name=names(one.seats), detail=one.detail)
            for one in story.honours
        ]
        parts = [
            f"{labels.say('game.title')}, {story.rounds}. {first}",
            capital(story.reason),
            "; ".join(places) + ".",
            *honours,
        ]
        return " ".join(filter(None, parts))

    return fit_text(ALT_TEXT_LIMIT, labels, write)


def describe_round(story: Story, labels: Labels) -> str:
    """Return the picture of `paint_round` in words, as its alt text."""

    def write(labels: Labels) -> str:
        lines = [
            labels.say(
                "story.stands",
                rank=place.rank,
                name=labels.list([labels.name(seat) for seat in place.seats]),
                score=place.score,
                gain=signed(place.course[-1] - place.course[-2]),
            )
            for place in story.places
        ]
        return f"{labels.say('story.after', rounds=story.rounds)}: {'; '.join(lines)}."

    return fit_text(ALT_TEXT_LIMIT, labels, write)


STORY_COLOURS: tuple[Colour, ...] = (*COLOURS, *METALS, SLATE)
"""The colours that a story's picture has exactly."""
