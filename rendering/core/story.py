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
from rendering.core.labels import Labels
from rendering.core.sprites import Colour, Pen, Pixels, mix, sprite
from rules.core.game import Outcome

HEIGHT = 1200
MOST_PLACES = 8
MOST_HONOURS = 3
STEPS = (150, 126, 108)
"""The heights of the podium's steps."""
FOOT = 640
"""The line below the podium."""
SLATE: Colour = (46, 42, 54)
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


WINNER_AT = (600, 390)
"""The middle of the winner's disc."""
ROUND_HEIGHT = 600


def paint_round(slug: str, ground: Callable[[int, int], Image.Image], story: Story, labels: Labels) -> Page:
    """Return the page of a match that goes on: the scores after a round, what the round brought, and the chart."""
    page = Page(slug, ROUND_HEIGHT, ground)
    place_header(page, labels.say("story.after", rounds=story.rounds), labels.say("game.title"))
    top, left, right = 106, theme.MARGIN, 590
    bottom = ROUND_HEIGHT - theme.MARGIN
    page.shade(left, top, right - left, bottom - top, theme.CORNER, 2, 200, NIGHT, 0)
    shown = story.places[:MOST_PLACES]
    step = min(88, (bottom - top - 12) // len(shown))
    for number, place in enumerate(shown):
        y = top + 8 + step * number + step // 2
        size = min(64, step - 8)
        page.place(disc(labels, place.seats[0], size), left + 50, y, "mm")
        if place.rank == 1:
            page.place(crown(size // 2), left + 50, y - size * 0.42, "mm")
        gain = place.course[-1] - place.course[-2]
        at = right - 18 - page.text(right - 18, y, place.score, theme.BODY, theme.CREAM, 210, "rm") - 16
        if gain:
            at -= page.text(at, y, signed(gain), theme.BODY, theme.BRASS_LIGHT, 120, "rm") + 14
        room = round(at - left - 94)
        page.text(left + 94, y, _names(labels, place.seats, theme.BODY, room), theme.BODY, theme.CREAM, room)
    _place_chart(page, shown, labels, (right + 14, top, WIDTH - theme.MARGIN - right - 14, bottom - top))
    return page


def _podium(page: Page, story: Story, labels: Labels) -> None:
    """Place the first three places on their steps, the first one in the middle under a crown."""
    for number, place in enumerate(story.places[:3]):
        middle, wide = ((600, 372), (218, 356), (982, 356))[number]
        step = min(place.rank, len(STEPS)) - 1
        top = FOOT - STEPS[step]
        page.shade(middle - wide // 2, top, wide, STEPS[step], 14, 10, 140)
        page.place(_step(wide, STEPS[step], METALS[step]), middle, top, "mt")
        size = 196 if number == 0 else 132
        size = _discs(page, labels, place.seats, middle, top - 6, size, wide + 30)
        if place.won:
            page.place(crown(112 if number == 0 else 78), middle, top - size - 8, "mb")
        name = _names(labels, place.seats, 44, wide - 28)
        page.text(middle, top + 38, name, 44, theme.INK, wide - 20, "mm")
        page.text(middle, top + 84, place.score, theme.SMALL, theme.INK, wide - 20, "mm")
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
    if len(seats) == 1:
        return short_name(labels, seats[0], size, width)
    return lettering.shorten(labels.list([drawable_name(labels, seat) for seat in seats]), size, width)


def _table(page: Page, story: Story, labels: Labels) -> None:
    """Place the chart of scores, and beside it the places after the third."""
    top, bottom = FOOT + 66, 990 if story.honours else 1160
    others = story.places[3:MOST_PLACES]
    left = 500 if others else theme.MARGIN
    if others:
        page.shade(theme.MARGIN, top, 490 - theme.MARGIN, bottom - top, theme.CORNER, 2, 190, NIGHT, 0)
    for number, place in enumerate(others):
        y = top + 36 + number * min(66, (bottom - top) // len(others))
        page.text(theme.MARGIN + 8, y, f"{place.rank}.", theme.SMALL, theme.CREAM, 60)
        page.place(disc(labels, place.seats[0], 56), theme.MARGIN + 96, y, "mm")
        wide = page.text(478, y, place.score, theme.SMALL, theme.BRASS_LIGHT, 170, "rm")
        room = 478 - wide - 10 - (theme.MARGIN + 134)
        page.text(theme.MARGIN + 134, y, _names(labels, place.seats, theme.SMALL, room), theme.SMALL, theme.CREAM, room)
    _place_chart(page, story.places[:MOST_PLACES], labels, (left, top, WIDTH - theme.MARGIN - left, bottom - top))


def _place_chart(page: Page, shown: Sequence[Place], labels: Labels, box: tuple[int, int, int, int]) -> None:
    """Place the chart of scores with a disc at the end of each line. `box`: left, top, width and height."""
    left, top, width, height = box
    courses = tuple((labels.disc(place.seats[0]) % len(COLOURS), place.course) for place in shown)
    page.place(_chart(width, height, courses), left, top)
    page.text(left + 24, top + 30, labels.say("story.chart"), theme.SMALL, mix(SLATE, theme.CREAM, 0.7), 400)
    seats = {labels.disc(place.seats[0]) % len(COLOURS): place.seats[0] for place in shown}
    apart = _distance(height, len(courses))
    for colour, x_end, y_end in _ends(width, height, courses):
        page.place(disc(labels, seats[colour], int(min(44, apart))), left + x_end, top + y_end, "mm")


def _honour(page: Page, honour: Honour, labels: Labels, number: int, count: int) -> None:
    """Place a plate: the disc of the seat, what it did best, and the figure."""
    gap = 16
    width = (WIDTH - 2 * theme.MARGIN - (count - 1) * gap) // count
    x, y, height = theme.MARGIN + number * (width + gap), 1016, 156
    page.shade(x, y, width, height, theme.CORNER)
    page.place(_plate(width, height), x, y)
    page.place(disc(labels, honour.seats[0], 84), x + 54, y + height / 2, "mm")
    left, room = x + 106, width - 114
    size = lettering.fitting(honour.title, theme.SMALL + 1, theme.SMALL - 1, room)
    page.text(left, y + 34, honour.title, size, theme.BRASS_DARK, room)
    if len(honour.seats) == 1:
        page.text(left, y + 78, short_name(labels, honour.seats[0], theme.BODY, room), theme.BODY, theme.INK, room)
    for at, seat in enumerate(honour.seats[1:]):
        page.place(disc(labels, seat, 46), left + 48 * at, y + 78, "lm")
    page.text(left, y + 122, honour.detail, theme.SMALL, theme.INK_SOFT, room)


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


Courses = tuple[tuple[int, tuple[int, ...]], ...]
"""The colour of each line (a seat's number) and its scores."""
INSET = 52
"""Pixels between the chart's edge and its lines."""
DISTANCE = 46
"""Pixels between the middles of the discs at the ends of the lines, if there is room."""


def _scale(width: int, height: int, courses: Courses) -> Callable[[int, int], tuple[float, float]]:
    """Return the function from a round and a score to a point of the chart."""
    values = [value for _, course in courses for value in course]
    low, high = min(values), max(values)
    rounds = max(len(course) for _, course in courses) - 1

    def at(number: int, value: int) -> tuple[float, float]:
        x = INSET + (width - 2 * INSET - 20) * number / max(rounds, 1)
        y = height - INSET - (height - 2 * INSET) * (value - low) / max(high - low, 1)
        return x, y

    return at


def _distance(height: int, lines: int) -> float:
    """Return the least pixels between the middles of the discs at the ends of the lines."""
    return min(DISTANCE, (height - DISTANCE) / max(1, lines - 1))


def _ends(width: int, height: int, courses: Courses) -> list[tuple[int, float, float]]:
    """Return the places of the discs at the ends of the lines, apart from each other: the seat, x and y."""
    at = _scale(width, height, courses)
    found = sorted(((seat, *at(len(course) - 1, course[-1])) for seat, course in courses), key=lambda one: one[2])
    apart, lines = _distance(height, len(courses)), [y for _, _, y in found]
    for number in range(1, len(lines)):
        lines[number] = max(lines[number], lines[number - 1] + apart)
    foot = height - DISTANCE / 2
    for number in reversed(range(len(lines))):  # what is pushed out at the foot pushes up only what it meets
        lines[number] = min(lines[number], foot)
        foot = lines[number] - apart
    return [(seat, x + 24, y) for (seat, x, _), y in zip(found, lines, strict=True)]


@sprite
def _chart(width: int, height: int, courses: Courses) -> Pixels:
    """The score by round, a line a place."""
    pen = Pen(width, height)
    pen.box(0, 0, width, height, theme.CORNER, SLATE)
    at = _scale(width, height, courses)
    rounds = max(len(course) for _, course in courses)
    for number in range(rounds) if rounds <= 24 else range(0, rounds, 5):
        x, _ = at(number, 0)
        pen.line([(x, 18), (x, height - 18)], mix(SLATE, theme.CREAM, 0.1), 2)
    for seat, course in reversed(courses):
        points = [at(number, value) for number, value in enumerate(course)]
        pen.line(points, mix(COLOURS[seat], theme.CREAM, 0.6), 11)
        pen.line(points, COLOURS[seat], 6)
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
