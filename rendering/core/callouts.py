"""A hand that the rules explain: the picture between two strips of paper. On them stands what its things are, and a
line leads from each text to its thing, as in a printed rulebook.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from itertools import combinations, compress, product
from math import hypot, inf
from typing import NamedTuple

from PIL import Image, ImageDraw

from rendering.core import lettering, theme
from rendering.core.canvas import MOST_FILE_BYTES, WIDTH, Ground, Page, Stroke, Thing
from rendering.core.chrome import NIGHT
from rendering.core.paper import RUST, place_paper, wrapped
from rendering.core.sprites import Pen, Pixels, Point, Tint, sprite
from rendering.core.story import capital

HEAD = 84
"""So much of a hand's head, whose words are left out, may lie under the upper strip."""
LEAST = 200
"""The least width of a text, in pixels."""
SIDE, APART, LINE, EDGE = 30, 36, 44, 30
"""Pixels from a text to the page's edge, between two texts, from one line to the next, and to its strip's edges."""
STEP = 40
"""Lines begin so far from each other."""
SIGN = 80_000
"""What has fewer pixels is a sign."""
WORDS, SIGNS = 30, 20
"""What it costs a line to cross them, for each pixel of the map; all else costs 1."""
MAP = 12
"""The map of what lines should not cross is so much smaller than the page."""
SLANT, UNEQUAL = 1.5, 25
"""What a line costs for each pixel of the map that it leads aside; and two strips for the square of the number of texts
that one of them has more.
"""
TIP, THICK, RIM = 10, 5, 2.5
"""The radius of a line's end, its thickness, and the dark round it."""


class Way(NamedTuple):
    """A line from a strip to a thing, and what it costs, by its length and by what it crosses."""

    cost: float
    start: Point
    end: Point


class Caption(NamedTuple):
    """What a thing is in words, where lines to it may end, and the left and the right edge of the words."""

    text: str
    tips: Sequence[Point]
    left: int = 0
    right: int = WIDTH

    @property
    def lines(self) -> tuple[list[str], list[str]]:
        """The lines of the thing's name, and those of what it is."""
        name, _, rest = self.text.partition(":")
        width = self.right - self.left
        return wrapped(name.strip(), theme.SMALL, width), wrapped(capital(rest.strip()), theme.SMALL, width)


def explained(page: Page, told: Mapping[str, str]) -> Page:
    """Return the page with the texts of things that it names, each in the form "name: what it is"."""
    if not told:
        return page
    strokes = [stroke for stroke in page.strokes if stroke not in page.passing]
    hidden = max(0, min(HEAD, *(stroke.shown.top - 3 * TIP for stroke in strokes)))
    edges, costs = (hidden, page.height), _costs(strokes, page.height)
    captions = [Caption(text, _tips(page.named[name], page.height)) for name, text in told.items()]
    strips = _strips(captions, costs, edges)
    above, below = (LINE * max((sum(map(len, one.lines)) for one in strip), default=0) + 2 * EDGE for strip in strips)
    down = above - hidden
    whole = Page(page.slug, down + page.height + below, _between(page.ground, down), MOST_FILE_BYTES)
    whole.strokes += [one._replace(top=one.top + down, bottom=one.bottom + down) for one in strokes]
    place_paper(whole, -40, above + 40, -30, WIDTH + 60)
    place_paper(whole, down + page.height, below + 40, -30, WIDTH + 60)
    for strip, edge, top in zip(strips, edges, (EDGE, down + page.height + EDGE), strict=True):
        for caption in strip:
            foot = top
            for lines, ink in zip(caption.lines, (RUST, theme.INK), strict=True):
                for line in lines:
                    whole.text(caption.left, foot + LINE / 2, line, theme.SMALL, ink)
                    foot += LINE
            _, (x, y), (to_x, to_y) = min(_ways(costs, caption, edge))
            ImageDraw.Draw(costs).line((x / MAP, y / MAP, to_x / MAP, to_y / MAP), 255, 4)
            y = y if edge > hidden else foot + 8 - down
            corner = min(x, to_x) - TIP - RIM, down + min(y, to_y) - TIP - RIM
            whole.place(_leader(round(to_x - x), round(to_y - y)), *corner)
    return whole


@lru_cache(maxsize=16)
def _between(ground: Ground, above: int) -> Callable[[int, int], Image.Image]:
    """Return what paints a hand's stage so far below the upper edge of a page."""

    def paint(width: int, height: int) -> Image.Image:
        image = Image.new("RGB", (width, height), theme.PAPER)
        image.paste(ground.painted(), (0, above))
        return image

    return paint


def _strips(captions: Sequence[Caption], costs: Image.Image, edges: tuple[int, int]) -> list[list[Caption]]:
    """Return the texts above and below a hand, so shared out that lines are short and cross little."""
    ways = {(one.text, edge): _ways(costs, one, edge) for one, edge in product(captions, edges)}
    found: list[tuple[float, list[list[Caption]]]] = []
    for count in range(len(captions) + 1):
        for upper in combinations(captions, count):
            strips = [_side_by_side(upper), _side_by_side([one for one in captions if one not in upper])]
            cost: float = UNEQUAL * (len(captions) - 2 * count) ** 2
            for strip, edge in zip(strips, edges, strict=True):
                for one in strip:
                    places = (way for way in ways[one.text, edge] if one.left - STEP < way.start[0] < one.right)
                    cost += min((way.cost for way in places), default=inf)  # no place: the names are too wide together
            found.append((cost, strips))
    return min(found, key=lambda one: one[0])[1]


def _side_by_side(captions: Sequence[Caption]) -> list[Caption]:
    """Return texts with their edges: as wide as the names, and the wider the longer the rest is."""
    names, wholes = (
        [max(LEAST, lettering.width(one.text.partition(":")[part], theme.SMALL)) for one in captions] for part in (0, 2)
    )
    spare = WIDTH - 2 * SIDE - APART * (len(captions) - 1) - sum(names)
    placed, left = [], SIDE
    for caption, name, whole in zip(captions, names, wholes, strict=True):
        right = left + name + round(spare * whole / sum(wholes))
        placed.append(caption._replace(left=left, right=right))
        left = right + APART
    return placed


def _costs(strokes: Sequence[Stroke], height: int) -> Image.Image:
    """Return the map of a hand: the brighter, the less a line should lie there."""
    costs = Image.new("L", (WIDTH, height), 1)
    for stroke in strokes:
        if stroke.what.size[0] * stroke.what.size[1] < SIGN:
            mask = _solid(stroke)
            if isinstance(stroke.what, Tint) and (box := mask.getbbox()):
                mask.paste(255, box)
            costs.paste(WORDS if isinstance(stroke.what, Tint) else SIGNS, (stroke.left, stroke.top), mask)
    return costs.resize((WIDTH // MAP + 1, height // MAP + 1))


def _solid(stroke: Stroke) -> Image.Image:
    """Return the mask of what a stroke covers, without its glow."""
    return stroke.what.layer.getchannel("A").point([255 * (value > 128) for value in range(256)])


def _tips(thing: Thing, height: int) -> list[Point]:
    """Return places at the edges of a thing, outside of it and on the page."""
    mask = Image.new("L", (WIDTH, height))
    for stroke in thing.strokes:
        mask.paste(255, (stroke.left, stroke.top), _solid(stroke))
    left, top, right, bottom = mask.getbbox() or (0, 0, WIDTH, height)
    outer = [part in (0, 1) for part in thing.part]
    across, down = thing.part[::2], thing.part[1::2]
    left, right = (round(left + (right - left) * part) for part in across)
    top, bottom = (round(top + (bottom - top) * part) for part in down)
    mask, tips = mask.crop((left, top, right, bottom)), []
    for part in (0.5, 0.15, 0.3, 0.7, 0.85):
        x, y = round(mask.width * part), round(mask.height * part)
        if box := mask.crop((0, y, mask.width, y + 1)).getbbox():
            tips += list(compress([(left + box[0] - TIP, top + y), (left + box[2] + TIP, top + y)], outer[::2]))
        if box := mask.crop((x, 0, x + 1, mask.height)).getbbox():
            tips += list(compress([(left + x, top + box[1] - TIP), (left + x, top + box[3] + TIP)], outer[1::2]))
    return [(min(max(x, TIP), WIDTH - TIP), min(max(y, TIP), height - TIP)) for x, y in tips]


def _ways(costs: Image.Image, caption: Caption, edge: int) -> list[Way]:
    """Return the lines from places on an edge of a hand, at a text, to its thing; of each place the cheapest."""
    ways, pixels, wide = [], costs.tobytes(), costs.width
    for x in range(caption.left // STEP * STEP + STEP // 2, caption.right, STEP):
        best = Way(inf, (x, edge), (x, edge))
        # The nearest first: many others lead so far aside that no map could make them cheaper.
        for to_x, to_y in sorted(caption.tips, key=lambda tip: hypot(tip[0] - x, tip[1] - edge)):
            across, down = (to_x - x) / MAP, (to_y - edge) / MAP
            aside = SLANT * abs(across)
            if aside > best.cost:
                continue
            left, top, length = x / MAP, edge / MAP, hypot(across, down)
            steps = [at / (length + 1) for at in range(round(length) + 1)]
            crossed = sum([pixels[int(top + down * step) * wide + int(left + across * step)] for step in steps])
            best = min(best, Way(crossed + aside, (x, edge), (to_x, to_y)))
        ways.append(best)
    return ways


@sprite
def _leader(across: int, down: int) -> Pixels:
    """A pale line with a dark rim that ends in a dot, so far from where it begins."""
    pad = TIP + RIM
    pen = Pen(round(abs(across) + 2 * pad), round(abs(down) + 2 * pad))
    start = pad + max(0, -across), pad + max(0, -down)
    end = start[0] + across, start[1] + down
    for rim, colour in ((RIM, NIGHT), (0, theme.CREAM)):
        pen.line([start, end], colour, THICK + 2 * rim)
        pen.disc(*end, TIP + rim, colour)
    pen.disc(*end, TIP / 2, RUST)
    return pen.pixels()
