"""The picture of a match that is over: the podium, the chart of scores and an honour, made to be posted."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, groupby
from typing import TYPE_CHECKING

from PIL import Image

from rendering.core import lettering, theme
from rendering.core.art import aglow, art, cut, dimmed, resized, shadow, toned
from rendering.core.canvas import MOST_FILE_BYTES, WIDTH, Page
from rendering.core.chrome import crown, rank_of, victory
from rendering.core.discs import COLOURS, colour_of, disc, first_fit, short_name
from rendering.core.labels import Labels, with_minus_sign
from rendering.core.paper import RUST, balanced, place_paper, wrapped
from rendering.core.score_chart import Chart, drawn
from rendering.core.sprites import Colour, Pixels, Sprite, pixels, sprite
from rendering.core.story import MOST_PLACES, Honour, Place, Story, capital

if TYPE_CHECKING:
    from rendering.core.renderer import AnyRenderer

HEIGHT = 1170
"""The height of the page without what is below the podium."""
STEPS = (224, 204, 188)
"""The heights of the podium's steps."""
FOOT = 770
"""The line below the podium."""
FLOOR_UP = 60
"""How far above that line a floor begins."""
SHARED = 3
"""The most places that share a step; more of one rank stand beside the podium."""
WINNER_SIZE, NEXT_SIZE, SHARED_SIZE = 260, 184, 140
"""The sizes of a winner, of others on the podium, and of those who share a step; see `stand`."""
LEVEL, LARGE, HALF = 150, 420, 250
"""The same without a podium: how high the floor is in front of all, and the sizes of a winner and of the others."""
GAPS, SMALLER = ((350, 850, 250, 950, 150, 1050, 70, 1130), (736, 250, 1110, 120), (392, 808)), 168
"""Where those after the third stand behind one, two or three others, and how large they are."""
WINNER_AT = (600, FOOT - STEPS[0] - WINNER_SIZE // 2)
"""The middle of the winner."""
CAP = 44
"""The height of a step's upper edge, on which nothing is written."""
OTHERS_DOWN, OTHER_SIZE, LEAST_DOWN = 168, 160, 122
"""How far below the podium those after the third stand, and how large they are."""
METALS: tuple[Colour, ...] = (theme.BRASS, (196, 202, 211), (200, 138, 98))
"""Gold, silver, bronze."""


def step(width: int, height: int, rank: int) -> Sprite:
    """Return a step of stone with a cap of gold, silver or bronze: the podium of a game that paints none."""
    return capped(art("common/stone"), width, height, rank)


@sprite
def capped(block: Sprite, width: int, height: int, rank: int) -> Pixels:
    """Return a step cut from a block, with a cap of gold, silver or bronze."""
    whole = Image.new("RGBA", (width, height))
    whole.alpha_composite(cut(block, width, height).layer)
    whole.alpha_composite(cut(art(f"common/cap_{rank}"), width, min(CAP, height)).layer)
    return pixels(whole)


def paint_result(game: AnyRenderer, story: Story, labels: Labels) -> Page:
    """Return the page: the winner in the light, the podium, the others, the scores by round, and an honour."""
    steps = steps_of(story.places[:MOST_PLACES])
    others = tuple(place for place in story.places[:MOST_PLACES] if not any(place in step for step in steps))
    stands = _stands(steps, level=game.LEVEL)
    top = FOOT - LEVEL if game.LEVEL else FOOT - STEPS[0] + 20
    lights = tuple((middle, wide * 5 // 9, top) for places, middle, wide in stands if places is steps[0])
    names = names_of(labels, others, _each(others)) if others else []
    below = (
        (LEAST_DOWN if game.LEVEL else OTHERS_DOWN) + NAME_AT + 40 + LINE * by_turns(names, _each(others))
        if others
        else 14
    )
    height, paper = HEIGHT + below, FOOT + below
    ground = dimmed(game.ground, lights=lights, hidden=height - paper - 150)
    page = Page(game.palette, height, ground, MOST_FILE_BYTES)
    _headline(page, game, story, labels)
    place_floor(page, game, *((FOOT - LEVEL, height) if game.LEVEL else (FOOT, paper + 24)))
    if game.LEVEL:
        far = [*zip([seat for place in others for seat in place.seats], GAPS[len(steps) - 1], strict=False)]
        for number, (seat, x) in reversed([*enumerate(far)]):
            up = game.AFAR * (2 + number // 2 % 2)
            game.place_figure(page, labels, seat, x, FOOT - LEVEL + 6 - up, SMALLER, lit=False)
    _podium(page, game, labels, steps[0][0], stands)
    if others:
        _others(page, game, labels, others, names)
    _record(page, story, labels, paper)
    return page


def place_floor(page: Page, game: AnyRenderer, foot: int, end: int) -> None:
    """Lay the floor of a stage that has none, from where things stand down to `end`."""
    if game.FLOOR:
        up = 0 if game.LEVEL else FLOOR_UP
        page.place(_floor(game.FLOOR, end - foot + up, game.LEVEL), 0, foot - up)


@sprite
def _floor(name: str, height: int, level: bool) -> Pixels:
    """A painted floor, so deep: cut, so that its far edge stays soft, or stretched; a level one is mirrored."""
    whole = art(name).layer
    if level and height > whole.height:
        low, sheet = whole.crop((0, whole.height // 2, WIDTH, whole.height)), Image.new("RGBA", (WIDTH, height))
        sheet.paste(whole)
        for y in range(whole.height, height, low.height):
            low = low.transpose(Image.Transpose.FLIP_TOP_BOTTOM)
            sheet.paste(low, (0, y))
        return pixels(sheet)
    return pixels(whole.crop((0, 0, WIDTH, height)) if height <= whole.height else resized(whole, WIDTH, height))


def _headline(page: Page, game: AnyRenderer, story: Story, labels: Labels) -> None:
    """Write who won, and below it why, if the scores do not tell, or else which match it was."""
    seats = [seat for place in story.places if place.won for seat in place.seats]
    text, size = victory(labels, seats, 1130, sizes=(92, 46), face=game.FACE)
    page.text(WIDTH / 2, 62, text, size, theme.BRASS_LIGHT, 1150, "mm", game.FACE, game.DARK)
    small = capital(story.reason) or first_fit(_facts(story, labels), theme.SMALL, 1130)
    size = lettering.fitting(small, theme.BODY + 4, theme.SMALL, 1130)
    lines = wrapped(small, size, 1130)
    for number, line in enumerate(lines):
        page.text(WIDTH / 2, 146 + 42 * (number - (len(lines) - 1) / 2), line, size, theme.CREAM, 1150, "mm",
                  halo=game.DARK)  # fmt: skip


def _facts(story: Story, labels: Labels) -> list[str]:
    """Return which match it was, ever shorter."""
    title = labels.say("game.title")
    short = story.short_date
    forms: list[tuple[str, ...]] = [(title, story.rounds, story.date)]
    forms += [(title, story.rounds, short), (title, short), (short,)] if short else []
    return [" · ".join(filter(None, facts)) for facts in forms]


def steps_of(places: Sequence[Place]) -> list[tuple[Place, ...]]:
    """Return the places on each step of the podium: all who share a place have steps of one height, or share one step,
    or none of them has one. More than three winners share one broad step.
    """
    steps: list[tuple[Place, ...]] = []
    for rank, found in groupby(places, key=lambda place: place.rank):
        group = tuple(found)
        if (
            (len(group) == 1 and len(steps) < len(STEPS))
            or rank == 1
            or (len(group) <= SHARED and len(steps) < len(STEPS) and rank <= len(STEPS))
        ):
            steps.append(group)
        if rank > len(STEPS) or len(group) > SHARED or len(steps) == len(STEPS):
            break
    return steps


Stand = tuple[Sequence[Place], int, int]
"""The places on a step, its middle and its width."""


def _stands(steps: Sequence[tuple[Place, ...]], *, level: bool) -> list[Stand]:
    """Return where the steps are: the first one in the middle, or at the left if there are two."""
    middles = ((520, 930) if level else (400, 800)) if len(steps) == 2 else (600, 210, 990)
    stands: list[Stand] = [
        (places, middles[number], 388 if number == 0 else 370) for number, places in enumerate(steps)
    ]
    if len(steps[0]) > SHARED or len(steps) == 1 < len(steps[0]):
        stands[0] = (steps[0], 600, 1130)
    if len(steps) == 2 and len(steps[1]) > 1:  # a tie for the second place: a step of one height on each side
        half = -(-len(steps[1]) // 2)
        stands = [(steps[0], 600, 388), (steps[1][:half], 210, 370), (steps[1][half:], 990, 370)]
    return stands


def _podium(page: Page, game: AnyRenderer, labels: Labels, best: Place, stands: Sequence[Stand]) -> None:
    """Place the first three places on their steps, the winner under a crown."""
    for places, middle, wide in stands[::-1] if game.LEVEL else stands:
        place, seats = places[0], [seat for place in places for seat in place.seats]
        rank = min(place.rank, len(STEPS)) - 1
        tall, first = LEVEL if game.LEVEL else STEPS[rank], place is best
        across = max(wide, 520) if game.LEVEL and first else wide
        if game.LEVEL:
            size = min(LARGE if first else HALF, across * 9 // 10 // len(seats) + 30 if len(seats) > 1 else LARGE)
        else:
            page.place(shadow(wide), middle, FOOT, "mm")
            page.place(game.podium(wide, tall, rank), middle, FOOT, "mb")
            size = SHARED_SIZE if len(seats) > 1 else WINNER_SIZE if first else NEXT_SIZE
        at = _middles(len(seats), middle, size, across - 4)
        heads = [
            game.place_figure(page, labels, seat, x, FOOT - tall + 6 - game.AFAR * (not first), size, lit=first)
            for seat, x in zip(seats, at, strict=True)
        ]
        if place.won:
            for x, head in zip(at, heads, strict=True) if len(places) > 1 else [(middle, min(heads))]:
                page.place(crown(124 if size == WINNER_SIZE else 96 if game.LEVEL else 88), x, head + 14, "mb")
        _engrave(page, game, labels, seats, place.score, middle, (wide - 34, tall), 48 if first else 43)


def stand(page: Page, game: AnyRenderer, labels: Labels, seat: int, x: float, foot: float, size: int) -> float:
    """Place a seat's figure on a step and its disc before it; or, if the game has no figures, its disc alone. Return
    where its head is.
    """
    figure = game.figure(labels, seat, size)
    if figure is None:
        page.place(disc(labels, seat, size * 3 // 4), x, foot, "mb")
        return foot - size * 3 // 4
    page.place(shadow(figure.size[0]), x, foot - 6, "mm")
    page.place(figure, x, foot, "mb")
    page.place(disc(labels, seat, round(size * SHIELD)), x - size * game.ASIDE, foot + 8, "mb")
    return foot - size


def lay(page: Page, thing: Sprite, x: float, foot: float, *, lit: bool, glows: bool = True) -> None:
    """Place a thing, the middle of its foot at (x, foot), in the light or in the shade."""
    if lit and glows:
        page.place(aglow(thing, 10, SUNLIT, 0.8), x, foot + 20, "mb")
    page.place(shadow(thing.size[0]), x, foot - 4, "mm")
    page.place(thing if lit else toned(thing, SHADE), x, foot, "mb")


SHADE: Colour = (176, 180, 214)
"""The tone of what stands in the shade."""
SUNLIT: Colour = (255, 216, 138)
"""The light round what stands in it."""
SHIELD = 0.48
"""The width of the disc in front of a figure, as a part of its height."""


NAME = 330
"""The most room of a name."""


def _engrave(
    page: Page, game: AnyRenderer, labels: Labels, seats: Sequence[int], score: str, x: int,
    room: tuple[int, int], size: int,
) -> None:  # fmt: skip
    """Write the names and the score of a place on its step; x is the middle. Several names may take two lines,
    in an order that cuts as few of them as can be."""
    wide, tall = room
    forms = [short_name(labels, seat, theme.SMALL, NAME) for seat in seats]
    names = [labels.list(forms)]
    if len(forms) > 1 and lettering.width(names[0], theme.SMALL) > wide:
        ways = [upper for count in range(-(-len(seats) // 2), 0, -1) for upper in combinations(seats, count)]
        lines = ((upper, [seat for seat in seats if seat not in upper]) for upper in ways)
        tries = ([_joined(labels, part, wide) for part in two] for two in lines)
        names, size = min(tries, key=lambda two: "".join(two).count(lettering.ELLIPSIS)), theme.SMALL
    free = tall - (16 if game.LEVEL else CAP)
    apart = min(54, (free - 16) // (len(names) + 1))
    first = FOOT + 2 - free / 2 - apart * len(names) / 2
    for number, name in enumerate(names):
        fits = lettering.fitting(name, size, theme.SMALL, wide)
        page.text(x, first + apart * number, name, fits, theme.CREAM, wide, "mm", halo=game.DARK)
    page.text(x, first + apart * len(names), score, size, theme.BRASS_LIGHT, wide, "mm", halo=game.DARK)


def _joined(labels: Labels, seats: Sequence[int], wide: int) -> str:
    part = (wide - 34 * (len(seats) - 1)) // len(seats)
    texts = [" · ".join(short_name(labels, seat, theme.SMALL, room) for seat in seats) for room in (NAME, part)]
    return first_fit(texts, theme.SMALL, wide)


def _middles(count: int, x: int, size: int, room: int) -> list[int]:
    """Return the middles of that many discs side by side; x is the middle of all."""
    apart = min(size + 8, (room - size) // max(1, count - 1))
    return [round(x + apart * (number - (count - 1) / 2)) for number in range(count)]


def _others(page: Page, game: AnyRenderer, labels: Labels, places: Sequence[Place], names: Sequence[str]) -> None:
    """Place those after the third before the podium; before the first of each rank lies a coin with it."""
    down, most = (LEAST_DOWN, 104) if game.LEVEL else (OTHERS_DOWN, OTHER_SIZE)
    foot, each = FOOT + down, _each(places)
    size, ranks = min(most, each - 56), {place.rank: place for place in reversed(places)}
    for place, x in zip(places, spread(len(places), each), strict=True):
        at = _middles(len(place.seats), round(x), size, min(each - 10, size + 60 * (len(place.seats) - 1)))
        for seat, middle in zip(place.seats, at, strict=True):
            if game.LEVEL:
                page.place(disc(labels, seat, size), middle, foot + 8, "mb")
            else:
                stand(page, game, labels, seat, middle, foot, size)
        if ranks[place.rank] is place:
            coin = rank_of(place.rank)
            page.place(coin, max(at[0] - size * (0.5 + game.ASIDE) - 10, coin.size[0] / 2 + 4), foot + 8, "mb")
    row = [(place.score, name, False) for place, name in zip(places, names, strict=True)]
    place_row(page, game, foot, each, row, 40 if game.LEVEL else 50)


def _each(places: Sequence[Place]) -> int:
    """Return the width that each of those has who stand before the podium."""
    return min((WIDTH - 8) // len(places), 420)


def spread(count: int, each: int) -> list[float]:
    """Return the middles of so many parts of the page, each so wide, side by side in its middle."""
    return [WIDTH / 2 + (at - (count - 1) / 2) * each for at in range(count)]


def place_row(
    page: Page, game: AnyRenderer, foot: int, each: int, row: Sequence[tuple[str, str, bool]], most: int = 50
) -> None:
    """Write below things that stand side by side, each so wide, their scores and their names: (score, name, whether it
    is the best). Names that are too wide for that stand in two lines by turns, at the edges of the page as near to
    their things as can be. `foot`: where the things stand; `most`: the size of a score.
    """
    low = LINE * by_turns([name for _, name, _ in row], each)
    for number, (x, (score, name, best)) in enumerate(zip(spread(len(row), each), row, strict=True)):
        size = lettering.fitting(score, most, theme.SMALL, each - 40, game.FACE)
        ink = theme.BRASS_LIGHT if best else theme.CREAM
        page.text(x, foot + SCORE_AT, score, size, ink, WIDTH, "mm", game.FACE, game.DARK)
        room, y = WIDTH if low else each - NAMES_APART, foot + (NAME_AT if score else SCORE_AT) + number % 2 * low
        half = min(lettering.width(name, theme.SMALL), room) / 2 + 8
        x = min(max(x, half), WIDTH - half)
        page.text(x, y, name, theme.SMALL, ink, room, "mm", halo=game.DARK, squeezed=theme.SQUEEZED)


SCORE_AT, NAME_AT, LINE, NAMES_APART = 44, 94, 46, 24
"""How far below their things the middles of scores and of names are; from one line of names to the next; the pixels
between names in a line.
"""


def by_turns(names: Sequence[str], each: int) -> bool:
    """Return whether names stand in two lines by turns below things that are so wide: some would be cut in one line."""
    return any(lettering.width(name, theme.SMALL) * theme.SQUEEZED > each - NAMES_APART for name in names)


def names_of(labels: Labels, places: Sequence[Place], each: int) -> list[str]:
    """Return the names of each place, at most so wide or, if some would be cut that else fit, with room for two lines
    by turns.
    """
    rooms = round((each - NAMES_APART) / theme.SQUEEZED), each * 7 // 4 - 20
    (names, cut), (longer, still) = (_named(labels, places, wide) for wide in rooms)
    return longer if still < cut else names


def _named(labels: Labels, places: Sequence[Place], room: int) -> tuple[list[str], int]:
    """Return the names of each place, at most `room` wide, and how many of them are cut."""
    found = []
    for place in places:
        part = (room - 30 * (len(place.seats) - 1)) // len(place.seats)
        found.append(labels.list([short_name(labels, seat, theme.SMALL, min(part, NAME)) for seat in place.seats]))
    return found, sum(lettering.ELLIPSIS in name for name in found)


HONOUR_WIDTH = 396
BESIDE = WIDTH - 2 * theme.MARGIN - 68 - (HONOUR_WIDTH - 60)
"""The room above the chart if an honour stands beside it."""
LAUREL = 190


def _record(page: Page, story: Story, labels: Labels, top: int) -> None:
    """Lay a sheet of paper at the foot: the scores by round, and one honour, told in a sentence, beside them."""
    left, foot, wide = theme.MARGIN, page.height - 20, WIDTH - 2 * theme.MARGIN
    place_paper(page, top, foot - top)
    honour = _chosen(story)
    room = BESIDE if honour else wide - 68
    page.text(left + 34, top + 44, first_fit(chart_titles(story, labels), theme.SMALL, room), theme.SMALL, RUST, room)
    if honour:
        wide -= HONOUR_WIDTH
        _honour(page, story, honour, labels, left + wide + HONOUR_WIDTH // 2 - 14, top + 26, foot - top - 46)
    _chart(page, story, labels, (left + 14, top + 68, wide - 30, foot - top - 80))


def chart_titles(story: Story, labels: Labels) -> list[str]:
    """Return what stands above the chart, ever shorter: the match, if the headline tells something else."""
    titles = _facts(story, labels) if story.reason else [labels.say("story.chart")]
    if not story.lowest_wins:
        return titles
    lowest = labels.say("story.chart_lowest")
    return [f"{title} · {lowest}" for title in (*titles, labels.say("story.chart"))]


def _chart(page: Page, story: Story, labels: Labels, box: tuple[int, int, int, int]) -> None:
    """Place the chart of scores with a disc at the end of each line. `box`: left, top, width and height."""
    left, top, width, height = box
    shown = story.places[:MOST_PLACES]
    courses = tuple((colour_of(labels, place.seats[0]), place.course) for place in shown)
    chart = Chart(width, height, courses, story.lowest_wins)
    page.place(drawn(chart), left, top)
    for value in chart.marked:
        figure = with_minus_sign(value)
        page.text(left + chart.start - 20, top + chart.line_of(value), figure, theme.SMALL, theme.INK, 120, "rm")
    for number in chart.numbered:
        page.text(left + chart.x_of(number), top + height - 24, str(number), theme.SMALL, theme.INK, 60, "mm")
    for place, (x, y) in zip(shown, chart.discs, strict=True):
        page.place(disc(labels, place.seats[0], chart.size), left + x, top + y, "mm")


def _chosen(story: Story) -> Honour | None:
    """Return the honour to tell: the first of a single player, or else the first."""
    return next((honour for honour in story.honours if len(honour.seats) == 1), next(iter(story.honours), None))


def _honour(page: Page, story: Story, honour: Honour, labels: Labels, x: int, top: int, tall: int) -> None:
    """Place an honour: the discs of its seats in a wreath of laurel, and below it the sentence. x is its middle."""
    names = labels.list([short_name(labels, seat, theme.SMALL, NAME) for seat in honour.seats])
    if len(honour.seats) == 1 and f"told.{honour.key}" in labels.texts:
        text = labels.say(f"told.{honour.key}", name=names, detail=honour.detail)
    else:
        text = labels.say("story.honour", title=honour.title, name=names, detail=honour.detail)
    room, size = HONOUR_WIDTH - 36, 42
    lines = balanced(text, size, room)
    if len(lines) * 50 + LAUREL > tall:
        size = theme.SMALL
        lines = balanced(text, size, room)
    apart = size + 8
    wreath = max(96, min(LAUREL + 70, tall - apart * len(lines) - 8))
    first = top + (tall - wreath - apart * len(lines)) // 2
    seats = honour.seats
    if len(seats) == 1:
        page.place(art("common/laurel", wreath), x, first, "mt")
        page.place(disc(labels, seats[0], round(wreath * 0.62)), x, first + wreath * 0.47, "mm")
    else:  # a medal that they share
        medal = art("common/medal", round(wreath * 0.42))
        page.place(medal, x, first, "mt")
        small = round(wreath * 0.36)
        for seat, at in zip(seats, _middles(len(seats), x, small, HONOUR_WIDTH - 40), strict=True):
            page.place(disc(labels, seat, small), at, first + medal.size[1] + small * 0.55, "mm")
    for number, line in enumerate(lines):
        page.text(x, first + wreath + apart * (number + 0.6), line, size, theme.INK, room + 20, "mm")


STORY_COLOURS: tuple[Colour, ...] = (*COLOURS, *METALS)
"""The colours that a story's picture has exactly."""
