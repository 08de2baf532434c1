"""The picture of a match that is over: the podium, the chart of scores and the honours, made to be posted."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import groupby

from PIL import Image, ImageFilter, ImageOps

from rendering.core import lettering, theme
from rendering.core.canvas import WIDTH, Page
from rendering.core.chrome import NIGHT, crown
from rendering.core.discs import COLOURS, colour_of, disc, first_words, short_name
from rendering.core.formatting import drawable_name
from rendering.core.labels import Labels, with_minus_sign
from rendering.core.score_chart import SLATE, Chart, drawn
from rendering.core.sprites import Colour, Pen, Pixels, Sprite, mix, sprite
from rendering.core.story import MOST_PLACES, Honour, Place, Story, capital

HEIGHT = 1200
MOST_HONOURS = 3
STEPS = (196, 180, 164)
"""The heights of the podium's steps."""
FOOT = 664
"""The line below the podium."""
SHARED = 3
"""The most places that share a step; more of one rank are listed below the podium."""
LISTED = (290, 200)
"""The room of a name in the list below the podium, if few are in it, and if many are."""
WINNER_SIZE = 196
WINNER_AT = (600, FOOT - STEPS[0] - 4 - WINNER_SIZE // 2)
"""The middle of the winner's disc."""
METALS: tuple[Colour, ...] = (theme.BRASS, (196, 202, 211), (200, 138, 98))
"""Gold, silver, bronze."""
Podium = Callable[[int, int, int], Sprite]
"""Draws a step of the podium: of this width and this height, for the first, the second or the third place (0 to 2)."""


def step(width: int, height: int, rank: int) -> Sprite:
    """Return a step of stone with a cap of gold, silver or bronze: the podium of a game that draws none."""
    return _stone(width, height, METALS[rank])


def paint_result(
    slug: str, ground: Callable[[int, int], Image.Image], story: Story, labels: Labels, podium: Podium = step
) -> Page:
    """Return the page: the winner under a crown, the podium, the others, the scores by round, and the honours."""
    page = Page(slug, HEIGHT, ground)
    page.place(_rays(), WIDTH / 2, WINNER_AT[1] - 330, "mt")
    _headline(page, story, labels)
    steps = steps_of(story.places[:MOST_PLACES])
    _podium(page, story, labels, podium, steps)
    top = FOOT + (70 if story.reason else 20)
    if others := tuple(place for place in story.places[:MOST_PLACES] if not any(place in step for step in steps)):
        top = _others(page, story, labels, others, top) + theme.GAP
    honours, foot, left = story.honours[:MOST_HONOURS], HEIGHT - theme.MARGIN, theme.MARGIN
    wide = WIDTH - 2 * theme.MARGIN
    if honours:
        wide -= HONOUR_WIDTH + theme.GAP
        tall = (foot - top - theme.GAP * (len(honours) - 1)) // len(honours)
        for number, honour in enumerate(honours):
            _honour(page, story, honour, labels, (left + wide + theme.GAP, top + (tall + theme.GAP) * number, tall))
    _place_chart(page, story, labels, (left, top, wide, foot - top))
    return page


def _headline(page: Page, story: Story, labels: Labels) -> None:
    """Write who won, outlined as on a cover, and below it the game, how long the match was, and when it ended."""
    won = [place for place in story.places if place.won]
    seats = [seat for place in won for seat in place.seats]
    if len(won) == 1:
        several = "several_win" if len(seats) > 1 else "one_wins"
        name = drawable_name(labels, seats[0]) if len(seats) == 1 else labels.list(first_words(labels, seats))
        text = labels.say(f"story.{several}", name=name)
    else:
        text = labels.say("story.share" if won else "story.nobody")
    headline(page, text, " · ".join(filter(None, (labels.say("game.title"), story.rounds, story.date))))


def headline(page: Page, text: str, facts: str) -> None:
    """Write a text at the top of a page, outlined as on a cover, and below it some facts."""
    size = next((size for size in range(84, 44, -4) if lettering.shorten(text, size, 1120, lettering.DISPLAY)
                 == lettering.drawable(text)), 44)  # fmt: skip
    page.place(_outlined(text, size), WIDTH / 2, 60, "mm")
    wide = lettering.width(facts, theme.SMALL) + 56
    page.shade((WIDTH - wide) // 2, 124, wide, 48, 24, 2, 190, NIGHT, 0)
    page.text(WIDTH / 2, 148, facts, theme.SMALL, theme.CREAM, 1100, "mm")


def steps_of(places: Sequence[Place]) -> list[tuple[Place, ...]]:
    """Return the places on each step of the podium: all who share a place have steps of one height, or share one step,
    or none of them has one. More than three winners share one broad step.
    """
    steps: list[tuple[Place, ...]] = []
    for rank, found in groupby(places, key=lambda place: place.rank):
        group = tuple(found)
        if len(steps) + len(group) <= len(STEPS):
            steps += [(place,) for place in group]
        elif rank == 1 or (len(group) <= SHARED and len(steps) < len(STEPS) and rank <= len(STEPS)):
            steps.append(group)
        if rank > len(STEPS) or len(group) > SHARED or len(steps) == len(STEPS):
            break
    return steps


def _podium(page: Page, story: Story, labels: Labels, podium: Podium, steps: Sequence[tuple[Place, ...]]) -> None:
    """Place the first three places on their steps, the first one in the middle under a crown."""
    alone = len(steps) == 1 or len(steps[0]) == 1 != steps[1][0].rank
    broad = len(steps[0]) > 1
    for number, places in enumerate(steps):
        place, seats = places[0], [seat for place in places for seat in place.seats]
        middle, wide = (600, 1130) if broad else ((600, 372), (218, 356), (982, 356))[number]
        rank = min(place.rank, len(STEPS)) - 1
        top = FOOT - STEPS[rank]
        page.place(podium(wide, STEPS[rank], rank), middle, FOOT, "mb")
        large = number == 0 and alone and not broad
        size = _discs(page, labels, seats, middle, top - 4, WINNER_SIZE if large else 140, wide + 10)
        if place.won:
            for x in _middles(len(seats) if broad else 1, middle, size, wide + 10):
                page.place(crown(112 if large else 86), x, top - size + 6, "mb")
        room = (wide - 40, STEPS[rank] - 44)
        _engrave(page, story, labels, seats, place.score, middle, room, 46 if number == 0 else 42)
    if story.reason:
        page.shade(-20, FOOT + 6, WIDTH + 40, 52, 20, 6, 200, NIGHT, 0)
        page.text(WIDTH / 2, FOOT + 33, capital(story.reason), theme.SMALL, theme.CREAM, WIDTH - 80, "mm")


def _form(story: Story, labels: Labels, seat: int) -> str:
    """Return the form of a player's name that all of the picture but the headline uses: it fits into the list."""
    several = any(len(place.seats) > 1 for place in story.places)
    room = LISTED[len(story.places) > len(STEPS) + IN_LINES]
    found = short_name(labels, seat, theme.SMALL, room)
    return first_words(labels, [seat])[0] if several or lettering.ELLIPSIS in found else found


def _engrave(
    page: Page, story: Story, labels: Labels, seats: Sequence[int], score: str, x: int, room: tuple[int, int], size: int
) -> None:
    """Write the names and the score of a place on its step; x is the middle. Several names may take two lines."""
    wide, tall = room
    forms = [_form(story, labels, seat) for seat in seats]
    names = [lettering.shorten(labels.list(forms), size, wide)]
    if len(forms) > 1 and lettering.ELLIPSIS in names[0]:
        names, size = [lettering.shorten(" · ".join(forms), theme.SMALL, wide)], theme.SMALL
    if len(forms) > 1 and lettering.ELLIPSIS in names[0]:
        half = -(-len(forms) // 2)
        names = [lettering.shorten(" · ".join(part), size, wide) for part in (forms[:half], forms[half:])]
    apart = min(50, (tall + 2) // (len(names) + 1))
    first = FOOT - 6 - tall / 2 - apart * len(names) / 2
    for number, name in enumerate(names):
        page.text(x, first + apart * number, name, size, theme.CREAM, wide, "mm")
    page.text(x, first + apart * len(names), score, size, theme.BRASS_LIGHT, wide, "mm")


def _middles(count: int, x: int, size: int, room: int) -> list[int]:
    """Return the middles of that many discs side by side; x is the middle of all."""
    step = min(size + 8, (room - size) // max(1, count - 1))
    return [round(x + step * (number - (count - 1) / 2)) for number in range(count)]


def _discs(page: Page, labels: Labels, seats: Sequence[int], x: int, foot: int, size: int, room: int) -> int:
    """Place the discs of a place side by side on the line `foot`; x is their middle. Return their size."""
    if len(seats) > 1:
        size = min(size, 120)
    y = foot - size // 2
    for seat, at in zip(seats, _middles(len(seats), x, size, room), strict=True):
        page.shade(at - size // 2, y - size // 2, size, size, size // 2, 9, 150)
        page.place(disc(labels, seat, size), at, y, "mm")
    return size


SCORE_AT = 112
"""Where the score begins beside the disc of one of many in the list, less half the disc. If there is no room for it, it
stands below the name.
"""
IN_LINES = 3
"""If there are more places after the third, each has its name below its disc."""


def _others(page: Page, story: Story, labels: Labels, places: Sequence[Place], top: int) -> int:
    """Place those after the third side by side. Return the lower edge."""
    count = len(places)
    most = max(count, 2 if any(len(place.seats) > 1 for place in places) else IN_LINES)
    wide = (WIDTH - 2 * theme.MARGIN - theme.GAP * (count - 1)) // most
    left = (WIDTH - wide * count - theme.GAP * (count - 1)) // 2
    ends = (SCORE_AT + 30 * len(place.seats) + lettering.width(place.score, theme.SMALL) for place in places)
    below = max(ends) > wide - 14
    tall = 96 if count <= IN_LINES else 170 if below else 124
    for number, place in enumerate(places):
        x = left + number * (wide + theme.GAP)
        page.shade(x, top, wide, tall, 30, 2, 200, NIGHT, 0)
        size, line = (76, top + tall // 2) if count <= IN_LINES else (60, top + 38)
        at = x + 16 + page.text(x + 16, line, f"{place.rank}.", theme.SMALL, theme.CREAM, 60) + 10
        for seat in place.seats:
            page.place(disc(labels, seat, size), at, line, "lm")
            at += size // 2
        at += size // 2 + 14
        room = x + wide - 14 - at
        if count <= IN_LINES:
            name = labels.list([_form(story, labels, seat) for seat in place.seats])
            page.text(at, line - 21, name, theme.BODY, theme.CREAM, room)
            page.text(at, line + 21, place.score, theme.SMALL, theme.BRASS_LIGHT, room)
        else:
            name = labels.list([_form(story, labels, seat) for seat in place.seats])
            if below:
                page.text(x + wide / 2, top + 138, place.score, theme.SMALL, theme.BRASS_LIGHT, wide - 16, "mm")
            else:
                page.text(at, line, place.score, theme.SMALL, theme.BRASS_LIGHT, room)
            page.text(x + wide / 2, top + 94, name, theme.SMALL, theme.CREAM, wide - 16, "mm")
    return top + tall


def _place_chart(page: Page, story: Story, labels: Labels, box: tuple[int, int, int, int]) -> None:
    """Place the chart of scores with a disc at the end of each line. `box`: left, top, width and height."""
    left, top, width, height = box
    shown = story.places[:MOST_PLACES]
    courses = tuple((colour_of(labels, place.seats[0]), place.course) for place in shown)
    chart = Chart(width, height, courses, story.lowest_wins)
    page.shade(left, top, width, height, 30, 2, 225, NIGHT, 0)
    page.place(drawn(chart), left, top)
    page.text(left + 24, top + 34, labels.say("story.chart"), theme.SMALL, theme.BRASS_LIGHT, width - 120)
    for value in chart.marked:
        figure = with_minus_sign(value)
        page.text(left + chart.start - 20, top + chart.line_of(value), figure, theme.SMALL, SOFT, 120, "rm")
    for number in chart.numbered:
        page.text(left + chart.x_of(number), top + height - 28, str(number), theme.SMALL, SOFT, 60, "mm")
    size = int(min(Chart.DISC, chart.apart))
    for place, y in zip(shown, chart.discs, strict=True):
        page.place(disc(labels, place.seats[0], size), left + chart.discs_at, top + y, "mm")


SOFT: Colour = mix(SLATE, theme.CREAM, 0.72)
"""The figures of the chart."""
HONOUR_WIDTH = 420


def _honour(page: Page, story: Story, honour: Honour, labels: Labels, at: tuple[int, int, int]) -> None:
    """Place an honour: the disc of the seat, what it did best, and the figure. `at`: left, top and height."""
    x, y, tall = at
    page.shade(x, y, HONOUR_WIDTH, tall, 30, 2, 200, NIGHT, 0)
    several, middle, apart = len(honour.seats) > 1, y + tall // 2, min(46, tall // 3 - 3)
    left = x + 24 if several else x + 118
    room = x + HONOUR_WIDTH - 14 - left
    size = lettering.fitting(honour.title, theme.BODY + 2, theme.SMALL, room)
    page.text(left, middle - (27 if several else apart), honour.title, size, theme.BRASS_LIGHT, room)
    if several:  # all of one size: they share it
        told = lettering.width(honour.detail, theme.SMALL) + 12
        wide = min(48, (room - told) // len(honour.seats) - 6)
        for number, seat in enumerate(honour.seats):
            page.place(disc(labels, seat, wide), left + (wide + 6) * number, middle + 25, "lm")
        end = left + (wide + 6) * len(honour.seats) + 8
        page.text(end, middle + 25, honour.detail, theme.SMALL, theme.CREAM, x + HONOUR_WIDTH - end)
    else:
        page.place(disc(labels, honour.seats[0], 88), x + 62, middle, "mm")
        page.text(left, middle, _form(story, labels, honour.seats[0]), theme.SMALL, theme.CREAM, room)
        page.text(left, middle + apart, honour.detail, theme.SMALL, theme.CREAM, room)


# Sprites


@sprite
def _outlined(text: str, size: int) -> Pixels:
    """The headline, in brass with a dark outline."""
    edge, shown = 5, lettering.fit(text, size, 1130, lettering.DISPLAY)
    mask = ImageOps.expand(lettering.mask(shown, size, lettering.DISPLAY), edge)
    alpha = mask.filter(ImageFilter.MaxFilter(2 * edge - 1)).filter(ImageFilter.GaussianBlur(0.8))
    image = Image.new("RGB", mask.size, NIGHT)
    image.paste(theme.BRASS_LIGHT, (0, 0), mask)
    return Pixels(image, alpha)


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
def _stone(width: int, height: int, metal: Colour) -> Pixels:
    """A step of dark stone with a cap of metal."""
    pen = Pen(width, height)
    body = mix(metal, (38, 32, 46), 0.72)
    pen.box(10, 10, width - 10, height + 20, 6, mix(body, (0, 0, 0), 0.45))
    pen.box(13, 10, width - 13, height + 20, 4, body)
    pen.box(13, 10, 27, height + 20, 0, mix(body, metal, 0.35))
    pen.box(width - 27, 10, width - 13, height + 20, 0, mix(body, (0, 0, 0), 0.25))
    pen.box(0, 0, width, 30, 8, mix(metal, (0, 0, 0), 0.5))
    pen.box(3, 3, width - 3, 26, 6, metal)
    pen.box(8, 5, width - 8, 11, 3, mix(metal, (255, 255, 255), 0.5))
    pen.box(13, 30, width - 13, 38, 0, mix(body, (0, 0, 0), 0.3))
    return pen.pixels()


STORY_COLOURS: tuple[Colour, ...] = (*COLOURS, *METALS, SLATE)
"""The colours that a story's picture has exactly."""
