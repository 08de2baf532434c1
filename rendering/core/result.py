"""The picture of a match that is over: who won in large, the chart of scores and an honour, made to be posted."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, groupby
from typing import TYPE_CHECKING

from PIL import Image

from rendering.core import lettering, theme
from rendering.core.art import aglow, art, cut, dimmed, shadow, toned
from rendering.core.canvas import MOST_FILE_BYTES, WIDTH, Page
from rendering.core.chrome import crown, rank_of, victory
from rendering.core.discs import COLOURS, colour_of, disc, first_fit, short_name
from rendering.core.labels import Labels, with_minus_sign
from rendering.core.paper import RUST, balanced, place_paper
from rendering.core.score_chart import Chart, drawn
from rendering.core.sprites import Colour, Pixels, Sprite, pixels, sprite
from rendering.core.story import MOST_PLACES, Honour, Place, Story, capital

if TYPE_CHECKING:
    from rendering.core.renderer import AnyRenderer

HEIGHT = 1170
"""The height of the page without those for whom there is no room behind the ledge."""
FOOT, LEDGE = 770, 150
"""The lower edge of the ledge behind which all stand, which has their words, and its height."""
ABREAST, ALL_ABREAST, PAIR, SHARED = 3, 4, 2, 3
"""The most places side by side behind it; the most if these are all, and each has one player or two; the most who share
one after the first.
"""
FRINGE = 40
"""Of a floor, the rows through which a stage may be seen."""
LARGE, HALF, SMALLER = 420, 250, 168
"""The sizes of the winner, of the others side by side, and of those behind these."""
GAPS = ((350, 850, 250, 950, 150, 1050, 70, 1130), (736, 250, 1110, 120), (384, 816))
"""Where those stand behind one, two or three others."""
WINNER_AT = (600, FOOT - LEDGE - LARGE // 2)
"""The middle of the winner."""
OTHERS_DOWN, OTHER_SIZE = 122, 84
"""How far below the ledge, on the paper, the discs of those lie who stand behind the others, and how large they are."""


def paint_result(game: AnyRenderer, story: Story, labels: Labels) -> Page:
    """Return the page: the winner in the light, the others beside and behind, the scores by round, and an honour."""
    shown = story.places[:MOST_PLACES]
    steps = steps_of(shown)
    others = tuple(place for place in shown if not any(place in step for step in steps))
    stands = _stands(steps)
    lights = tuple((middle, wide * 5 // 9, FOOT - LEDGE) for places, middle, wide in stands if places is steps[0])
    names = names_of(labels, others, _each(others)) if others else []
    below = OTHERS_DOWN + SCORE_AT + 40 + LINE * by_turns(names, _each(others)) if others else 14
    height, paper = HEIGHT + below, FOOT + below
    seen = FOOT - LEDGE + FRINGE if game.FLOOR else height
    ground = dimmed(game.ground, lights=lights, hidden=height - paper - 150, seen=seen)
    page = Page(game.palette, height, ground, MOST_FILE_BYTES)
    _headline(page, game, story, labels)
    place_floor(page, game, FOOT - LEDGE, height)
    gaps = GAPS[len(stands) - 1] if others else ()
    far = [*zip([seat for place in others for seat in place.seats], gaps, strict=False)]
    for number, (seat, x) in reversed([*enumerate(far)]):
        up = game.AFAR * (2 + number // 2 % 2)
        game.place_figure(page, labels, seat, x, FOOT - LEDGE + 6 - up, SMALLER, lit=False)
    _line_up(page, game, labels, stands, steps[0][0])
    place_paper(page, FOOT + 14, height - FOOT - 34)
    if others:
        _others(page, game, labels, others, names)
    _record(page, story, labels, paper)
    return page


def place_floor(page: Page, game: AnyRenderer, foot: int, end: int) -> None:
    """Lay what stands before a stage, from where things stand down to `end`."""
    if game.FLOOR:
        page.place(_floor(game.FLOOR, end - foot), 0, foot)


def step(game: AnyRenderer, width: int, height: int) -> Sprite:
    """Return a step cut from what stands before the game's stage, or else of stone."""
    return cut(art(game.FLOOR or "common/stone"), width, height)


@sprite
def _floor(name: str, height: int) -> Pixels:
    """A painted floor, so deep: cut, or its lower half comes again and again, mirrored."""
    whole, sheet = art(name).layer, Image.new("RGBA", (WIDTH, height))
    sheet.paste(whole)
    low = whole.crop((0, whole.height // 2, WIDTH, whole.height))
    for y in range(whole.height, height, low.height):
        low = low.transpose(Image.Transpose.FLIP_TOP_BOTTOM)
        sheet.paste(low, (0, y))
    return pixels(sheet)


def _headline(page: Page, game: AnyRenderer, story: Story, labels: Labels) -> None:
    """Write who won, and below it why, if the scores do not tell, or else which match it was."""
    seats = [seat for place in story.places if place.won for seat in place.seats]
    text, size = victory(labels, seats, 1130, sizes=(92, 46), face=game.FACE)
    page.text(WIDTH / 2, 62, text, size, theme.BRASS_LIGHT, 1150, "mm", game.FACE, game.DARK)
    small = capital(story.reason) or first_fit(_facts(story, labels), theme.SMALL, 1130)
    size = lettering.fitting(small, theme.BODY + 4, theme.SMALL, 1130)
    lines = balanced(small, size, 1130)
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
    """Return the places that stand side by side: all who share a place stand together, or none of them is here. More
    than three winners stand here alone.
    """
    groups = [tuple(group) for _, group in groupby(places, key=lambda place: place.rank)]
    if len(groups) <= ALL_ABREAST and max(map(len, groups)) <= PAIR:
        return groups
    steps: list[tuple[Place, ...]] = []
    for group in groups:
        rank = group[0].rank
        if len(group) == 1 or rank == 1 or (len(group) <= SHARED and rank <= ABREAST):
            steps.append(group)
        if rank > ABREAST or len(group) > SHARED or len(steps) == ABREAST:
            break
    return steps


Stand = tuple[Sequence[Place], int, int]
"""Places that stand together, their middle and their width."""


def _stands(steps: Sequence[tuple[Place, ...]]) -> list[Stand]:
    """Return where all stand: the first ones in the middle, or a little at the left if there are two or four."""
    middles = {2: (520, 930), 4: (438, 142, 800, 1058)}.get(len(steps), (600, 210, 990))
    wide = 280 if len(steps) > ABREAST else 370
    stands: list[Stand] = [(places, middles[at], wide if at else 388) for at, places in enumerate(steps)]
    if len(steps[0]) > SHARED or len(steps) == 1 < len(steps[0]):
        stands[0] = (steps[0], 600, 1130)
    if len(steps) == 2 and len(steps[1]) > 1:  # a tie for the second place: some on each side
        half = -(-len(steps[1]) // 2)
        stands = [(steps[0], 600, 388), (steps[1][:half], 210, 370), (steps[1][half:], 990, 370)]
    return stands


def _line_up(page: Page, game: AnyRenderer, labels: Labels, stands: Sequence[Stand], best: Place) -> None:
    """Place those who stand side by side, the winner in large before the others, under a crown."""
    for places, middle, wide in stands[::-1]:
        place, seats = places[0], [seat for place in places for seat in place.seats]
        first = place is best
        across, size = (max(wide, 520), LARGE) if first else (wide, HALF)
        size = size if len(stands) <= ABREAST else size * 9 // 10
        if len(seats) > 1:
            size = min(size, across * 9 // 10 // len(seats) + 20)
        at, foot = _middles(len(seats), middle, size, across - 24), FOOT - LEDGE + 6 - game.AFAR * (not first)
        heads = [
            game.place_figure(page, labels, seat, x, foot, size, lit=first) for seat, x in zip(seats, at, strict=True)
        ]
        if place.won:
            for x, head in zip(at, heads, strict=True) if len(places) > 1 else [(middle, min(heads))]:
                page.place(crown(96), x, head + 14, "mb")
        _engrave(page, game, labels, seats, place.score, middle, wide - 34, 48 if first else 43)


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


NAME = 330
"""The most room of a name."""


def _engrave(
    page: Page, game: AnyRenderer, labels: Labels, seats: Sequence[int], score: str, x: int,
    wide: int, size: int,
) -> None:  # fmt: skip
    """Write the names and the score of a place on the ledge; x is the middle. Several names may take two lines,
    in an order that cuts as few of them as can be."""
    forms = [short_name(labels, seat, theme.SMALL, NAME) for seat in seats]
    names, room = [labels.list(forms)], round(wide / theme.SQUEEZED)
    if len(forms) > 1 and lettering.width(names[0], theme.SMALL) > wide:
        ways = [upper for count in range(-(-len(seats) // 2), 0, -1) for upper in combinations(seats, count)]
        lines = ((upper, [seat for seat in seats if seat not in upper]) for upper in ways)
        tries = ([_joined(labels, part, room) for part in two] for two in lines)
        names, size = min(tries, key=lambda two: "".join(two).count(lettering.ELLIPSIS)), theme.SMALL
    apart = min(54, (LEDGE - 32) // (len(names) + 1))
    first = FOOT + 10 - LEDGE / 2 - apart * len(names) / 2
    for number, name in enumerate(names):
        fits = lettering.fitting(name, size, theme.SMALL, wide)
        page.text(
            x, first + apart * number, name, fits, theme.CREAM, wide, "mm", halo=game.DARK, squeezed=theme.SQUEEZED
        )
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
    """Lay the discs of those who stand behind the others on the paper; beside the first of each rank a coin with it."""
    foot, each = FOOT + OTHERS_DOWN, _each(places)
    size, ranks = min(OTHER_SIZE, each - 56), {place.rank: place for place in reversed(places)}
    for place, x in zip(places, spread(len(places), each), strict=True):
        at = _middles(len(place.seats), round(x), size, min(each - 10, size + 60 * (len(place.seats) - 1)))
        for seat, middle in zip(place.seats, at, strict=True):
            page.place(disc(labels, seat, size), middle, foot + 8, "mb")
        if ranks[place.rank] is place:
            coin = rank_of(place.rank)
            page.place(coin, max(at[0] - size * 0.5 - 10, coin.size[0] / 2 + 4), foot + 8, "mb")
    row = [(place.score, name, False) for place, name in zip(places, names, strict=True)]
    place_row(page, game, foot, each, row, on_paper=True)


def _each(places: Sequence[Place]) -> int:
    """Return the width that each of those has whose discs lie there."""
    return min((WIDTH - 88) // len(places), 420)


def spread(count: int, each: int) -> list[float]:
    """Return the middles of so many parts of the page, each so wide, side by side in its middle."""
    return [WIDTH / 2 + (at - (count - 1) / 2) * each for at in range(count)]


def place_row(
    page: Page, game: AnyRenderer, foot: int, each: int, row: Sequence[tuple[str, str, bool]], *, on_paper: bool = False
) -> None:
    """Write below things that stand side by side, each so wide, their names and their scores: (score, name, whether it
    is the best). Names that are too wide for that stand in two lines by turns, at the edges of the page as near to
    their things as can be. `foot`: where the things stand; `on_paper`: the words are smaller, and in ink.
    """
    low, most = LINE * by_turns([name for _, name, _ in row], each), 40 if on_paper else 50
    size = min(lettering.fitting(score, most, theme.SMALL, each - 40, game.FACE) for score, _, _ in row)
    for number, (x, (score, name, best)) in enumerate(zip(spread(len(row), each), row, strict=True)):
        ink, halo = (theme.INK, None) if on_paper else (theme.BRASS_LIGHT if best else theme.CREAM, game.DARK)
        page.text(x, foot + SCORE_AT + low, score, size, RUST if on_paper else ink, WIDTH, "mm", game.FACE, halo)
        room, y = each * 7 // 4 - 20 if low else each - NAMES_APART, foot + NAME_AT + number % 2 * low
        half = min(lettering.width(name, theme.SMALL), room) / 2 + (theme.MARGIN + 12 if on_paper else 8)
        x = min(max(x, half), WIDTH - half)
        page.text(x, y, name, theme.SMALL, ink, room, "mm", halo=halo, squeezed=NARROW)


NAME_AT, SCORE_AT, LINE, NAMES_APART, NARROW = 44, 94, 46, 12, 0.71
"""How far below their things the middles of names and of scores are; from one line of names to the next; the pixels
between names in a line; the least part of their width that their letters may have there.
"""


def by_turns(names: Sequence[str], each: int) -> bool:
    """Return whether names stand in two lines by turns below things that are so wide: some would be cut in one line."""
    return any(lettering.width(name, theme.SMALL) * NARROW > each - NAMES_APART for name in names)


def names_of(labels: Labels, places: Sequence[Place], each: int) -> list[str]:
    """Return the names of each place, at most so wide or, if some would be cut that else fit, with room for two lines
    by turns.
    """
    rooms = each - NAMES_APART, each * 7 // 4 - 20
    (names, cut), (longer, still) = (_named(labels, places, int(wide / NARROW)) for wide in rooms)
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
    """Write at the foot of the paper: the scores by round, and one honour, told in a sentence, beside them."""
    left, foot, wide = theme.MARGIN, page.height - 20, WIDTH - 2 * theme.MARGIN
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


STORY_COLOURS: tuple[Colour, ...] = COLOURS
"""The colours that a story's picture has exactly."""
