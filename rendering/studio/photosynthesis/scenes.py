"""The pages with the island, and stages beside it: the cover's hill, the grove, the stumps on which winners stand."""

from __future__ import annotations

import math
from functools import partial
from itertools import pairwise

from PIL import Image, ImageFilter

from rendering.core.scenery import scatter
from rendering.core.sprites import Colour, Point, along, mix
from rendering.photosynthesis.forest import PILE, Harvest
from rendering.photosynthesis.picture import IN_HAND, ON_TABLE
from rendering.photosynthesis.scene import TABLE, Scene
from rendering.studio import brush, pack
from rendering.studio.brush import BLACK, Sheet, ink, linear, polygon, radial, screened, smooth
from rendering.studio.photosynthesis import island, trees
from rendering.studio.photosynthesis.island import EARTH, HOURS, Hour, grass, pebbles, ridge
from rendering.studio.photosynthesis.things import SKIN, SUN, hat, portray

GRASS: tuple[Colour, ...] = ((58, 70, 40), (104, 110, 48), (160, 146, 66), (212, 178, 92))


def cut(sun: int, scene: Scene, tall: int) -> Image.Image:
    """A page's stage, in so few colours that its files are small: the island where that page has it."""
    k = scene.hex / TABLE.hex
    left, top = TABLE.x - scene.x / k, TABLE.y - scene.y / k
    box = left, max(top, 0), left + 1200 / k, top + tall / k
    page = island.stage(sun).resize((1200, tall), Image.Resampling.LANCZOS, box)
    page = _framed(page, HOURS[sun], sun, ON_TABLE if scene == TABLE else IN_HAND)
    return pack.flat(page.filter(ImageFilter.MedianFilter(3)), COLOURS)


def _frond(sheet: Sheet, stem: list[Point], size: float, broad: float, tone: Colour, lit: Colour, side: int) -> None:
    """A twig with leaves on both sides, smaller towards its tip, bright on the side of the sun (-1: the left)."""
    brush.limb(sheet, stem, 4, 1, tone, mix(tone, BLACK, 0.3))
    for number, ((ax, ay), (bx, by)) in enumerate(pairwise(stem)):
        turn, long = math.atan2(by - ay, bx - ax), size * (1 - 0.9 * number / len(stem))
        for across in (-1.1, 1.1):
            px, py = bx + long * math.cos(turn + across), by + long * math.sin(turn + across)
            colour = lit if math.cos(turn + across) * side > 0.2 else tone
            brush.dab(sheet, px, py, long, math.degrees(turn + across), colour, flat=broad)


def _framed(page: Image.Image, hour: Hour, sun: int, harvest: Harvest) -> Image.Image:
    """A page seen through ferns at its foot and below a branch, both dark, with the sun's light on their edges. Boards
    hang where the tokens of the harvest lie.
    """
    (wide, tall), random, sheet = page.size, scatter("fronds"), Sheet(page.width, page.height)
    sheet.lay(page, 0, 0)
    dark, leaf = mix(hour.woods, (4, 8, 20), 0.7), mix(hour.woods, (66, 104, 52), 0.45)
    glow, side = mix(leaf, hour.light, 0.6), -1 if sun in (0, 1, 5) else 1
    sheet.box(0, tall - 90, wide, tall, linear((0, tall - 90), (0, tall), (0, dark, 0), (1, dark, 255)))
    roots = sorted((random.random() ** 1.6 * 0.5, end) for end in (-1, 1) for _ in range(16))[::-1]
    for place, (part, end) in enumerate(roots):
        x, near = wide / 2 + end * (wide / 2 + 20 - part * wide), place / len(roots)
        long, lean = random.uniform(0.7, 1.1) * (54 + 150 * (1 - 2 * part) ** 2.4), random.uniform(-0.5, 0.7) * end
        ways = [n / 14 for n in range(15)]
        stem = [(x - lean * long * t * t, tall + 10 - long * t * (1.15 - 0.3 * t)) for t in ways]
        tone = mix(leaf, dark, 0.35 + 0.5 * near)
        _frond(sheet, stem, long * 0.13, 0.5, tone, mix(tone, glow, 0.6 - 0.4 * near), side)
    light, deep = mix((150, 98, 58), hour.woods, 0.2), mix((48, 30, 24), hour.woods, 0.2)
    half = harvest.width / 2 + 4
    for x, y in harvest.piles[::-1]:
        for at in (x - 20, x + 48) if half > PILE / 2 else ():
            sheet.line((at, y - 176), (at, y), ink(deep, stroke=5))
            sheet.line((at - 1, y - 176), (at - 1, y), ink(mix(light, hour.light, 0.4), stroke=2))
        box = x - half, y - half + 4, x + half + 34, y + half - 4
        board = brush.polygon([box[:2], (box[2], box[1] + 3), (box[2] - 3, box[3]), (box[0] + 2, box[3] - 2)])
        brush.wood(sheet, board, box, random, light, deep)
    for number in range(24):
        x, fall = wide + 6 - 17 * number + random.uniform(-8, 8), random.uniform(30, 84) * (1 - number / 31)
        lean, y = random.uniform(-40, 6), 8 + 8 * math.sin(number / 2)
        stem = [(x + lean * t, y + fall * t * t - 6 * t) for t in (n / 6 for n in range(7))]
        tone = mix(dark, leaf, random.uniform(0, 0.8))
        _frond(sheet, stem, random.uniform(13, 20), 0.8, tone, mix(tone, glow, random.uniform(0.1, 0.6)), side)
    brush.limb(sheet, [(wide + 10, 10), (wide - 110, 14), (wide - 260, 4), (wide - 400, 12)], 18, 3, leaf, dark)
    return sheet.image().convert("RGB")


COLOURS = 40
"""The colours of a stage."""


def _shade_of(tree: Image.Image, lean: float, flat: float) -> Image.Image:
    """A tree's shadow on the ground, towards the viewer's left."""
    mask = tree.getchannel("A")
    wide, tall = mask.width + round(abs(lean) * mask.height), round(mask.height * flat)
    laid = mask.transform((wide, tall), Image.Transform.AFFINE,
                          (1, lean / flat, -lean * mask.height, 0, -1 / flat, mask.height),
                              Image.Resampling.BILINEAR)  # fmt: skip
    sheet = Image.new("RGBA", laid.size, (34, 22, 70, 0))
    sheet.putalpha(laid.filter(ImageFilter.GaussianBlur(4)).point([value * 150 // 255 for value in range(256)]))
    return sheet


def cover() -> Image.Image:
    """The four varieties on a hill, in the light of a low sun, with their long shadows."""
    wide, tall, hour, random = 1200, 640, HOURS[4], scatter("cover")
    back = Sheet(wide, tall)
    sky = (0, (44, 26, 78)), (0.34, (122, 48, 92)), (0.66, (226, 102, 70)), (1, (255, 196, 110))
    back.box(0, 0, wide, tall, linear((0, 0), (0, 470), *sky))
    x, y = 872, 392
    for _ in range(34):  # clouds, lit from below
        at, high, long = random.uniform(-60, wide), random.uniform(20, 350), random.uniform(90, 300)
        tone = mix((150, 58, 92), (255, 176, 110), min(1, high / 360) * random.uniform(0.5, 1))
        for step in range(4):
            left, thick = at + random.uniform(0, long * 0.5), random.uniform(3, 9)
            right = left + long * random.uniform(0.4, 1)
            back.oval(left, high + 7 * step - thick, right, high + 7 * step + thick, ink(tone, 110))
    rays = (0, hour.light, 220), (0.25, hour.light, 110), (1, hour.light, 0)
    back.disc(x, y, 420, screened(radial((x, y), 420, *rays)))
    back.disc(x, y, 104, radial((x - 20, y - 26), 150, (0, SUN[0]), (0.5, SUN[1]), (1, SUN[2])))
    for layer, (top, tone) in enumerate(((380, (176, 88, 84)), (424, (122, 64, 82)), (462, (76, 48, 72)))):
        ridge(back, random, top, 22, 170 + 60 * layer, 2.2 * layer, tone, 300, 1.05 + 0.38 * layer)
    sheet = Sheet(wide, tall)
    sheet.lay(back.image().filter(ImageFilter.GaussianBlur(1.2)), 0, 0)

    def top_at(at: float) -> float:
        return 508 - 34 * math.sin((at + 120) / 420)

    hill = brush.ground([(at, top_at(at)) for at in range(-30, wide + 60, 30)], tall)
    sheet.path(hill, radial((x, 470), 900, (0, GRASS[3]), (0.3, GRASS[2]), (0.62, GRASS[1]), (1, GRASS[0]), flat=0.5))

    def on_hill() -> Point:
        at = random.uniform(0, wide)
        return at, top_at(at) + random.uniform(0, 1) ** 1.4 * 140

    grass(sheet, random, 1500, on_hill, GRASS, (x, 470), 800)
    stands = (
        *((2, 3, 590, 534, 1.3), (1, 2, 706, 540, 1.2), (2, 2, 1010, 552, 1.6), (1, 3, 96, 556, 2.1)),
        *((0, 3, 404, 584, 2.25), (3, 2, 240, 602, 1.9), (3, 3, 1104, 606, 2.15), (1, 1, 566, 614, 1.7)),
        (0, 1, 920, 612, 1.6),
    )
    for seat, height, at, foot, k in stands:
        one = trees.tree(seat, height, k, ring=False)
        right = at > x
        if not right:
            one = one.transpose(Image.Transpose.FLIP_LEFT_RIGHT)
        shade = _shade_of(one, 1.5, 0.34)
        if right:
            shade = shade.transpose(Image.Transpose.FLIP_LEFT_RIGHT)
        sheet.lay(shade, at - one.width / 2 + (0 if right else one.width - shade.width), foot - 16 * k)
        lit = brush.lit_edge(one, (255, 226, 150), 3 if right else -3, 2, 0.8)
        sheet.lay(lit, at - one.width / 2, foot - one.height + trees.FOOT * k)
    dark = (BLACK, (40, 34, 40), (66, 50, 44), (84, 62, 46))
    grass(sheet, random, 260, lambda: (random.uniform(0, wide), random.uniform(612, 650)), dark, (x, 470), 2000, 2.6)
    sheet.lay(hat(0), 726, 556)
    return brush.vignette(sheet.image().convert("RGB"), (24, 12, 44), 0.7, (600, 330), 0.5)


TURF: tuple[Colour, ...] = ((34, 58, 38), (70, 104, 50), (122, 150, 66), (182, 192, 94))


def grove() -> Image.Image:
    """A glade in the evening with trees of all four varieties round it: behind results and figures."""
    wide, tall, random = 1200, 1200, scatter("grove")
    sheet, dark, mist = Sheet(wide, tall), (18, 46, 54), (176, 204, 130)
    sheet.box(0, 0, wide, tall, ink(mix(mist, dark, 0.34)))
    for far, part in ((520, 0.24), (400, 0.14), (290, 0.04)):
        sheet.disc(600, 300, far, ink(mix(mist, dark, part)))
    for layer in range(6):
        near = layer / 5
        tone, gap = mix(mist, dark, 0.24 + 0.15 * layer), 60 + 330 * near
        lit = mix(tone, (250, 236, 160), 0.22)
        for number in range(16 - layer):
            part, side = (number + random.random()) / (16 - layer), -1 if number % 2 else 1
            x, high = 600 + side * (gap + (660 - gap) * part), random.uniform(150, 300) * (0.7 + 0.8 * near)
            if number % 3 == 0:  # a trunk up to the leaves
                thick = (8 + 22 * near) * random.uniform(0.7, 1.2)
                points = [(x, 640.0), (x + random.uniform(-10, 10), 300), (x + random.uniform(-24, 24), -20)]
                brush.limb(sheet, points if side > 0 else points[::-1], thick * 1.3, thick * 0.8, lit, tone)
            island.fir(sheet, x + 40, 560 + 60 * near, high, tone, mix(tone, lit, 0.5), -side)
        points = [(x, 566 + 12 * layer + random.uniform(-8, 8)) for x in range(-40, wide + 90, 60)]
        sheet.path(brush.ground(points, tall), ink(tone))
    for x, end in ((470, 300), (560, 520), (650, 800)):
        beam = brush.polygon([(x, -20), (x + 56, -20), (end + 170, 660), (end - 40, 660)])
        sheet.path(beam, screened(ink((255, 238, 170), 26)))
    for row in range(3):  # leaves above, the nearest the darkest
        tone = mix(mist, dark, 0.5 + 0.24 * row)
        for _ in range(70):
            at = random.uniform(-40, wide + 40)
            y = (46 - 30 * row) * random.uniform(0, 1.4) + (190 - 40 * row) * (abs(at - 600) / 600) ** 2
            brush.dab(sheet, at, y, random.uniform(26, 54), random.uniform(20, 160), tone, 255, brush.LEAF, 0.9)
    tones, ground = TURF, [(-20.0, 600.0), (200, 574), (600, 560), (1000, 574), (1220, 600)]
    sheet.path(brush.ground(ground, tall), ink(tones[0]))
    for part, bright in ((1.0, 0.25), (0.74, 0.5), (0.5, 0.72), (0.28, 0.9)):
        half = 760 * part
        lawn = partial(sheet.oval, 600 - half, 610 - half * 0.36, 600 + half, 610 + half * 0.36)
        sheet.inside(brush.ground(ground, tall), partial(lawn, ink(along(tones, bright))))

    def in_glade() -> Point:
        return random.uniform(0, wide), 570 + random.uniform(0, 1) ** 1.3 * 420

    grass(sheet, random, 800, in_glade, tones, (600, 620), 760, 1.8)
    for number in range(26):
        side = -1 if number % 2 else 1
        foot = 572 + number * 5
        at = 600 + side * (random.uniform(330, 600) - (26 - number) * 3)
        seat, height = random.randrange(4), random.choice((1, 2, 3, 3))
        one = trees.tree(seat, height, 1 + number / 26, ring=False)
        sheet.oval(at - one.width * 0.4, foot - 8, at + one.width * 0.4, foot + 10, ink((14, 24, 34), 120))
        haze = Image.new("RGB", one.size, (30, 78, 60))  # so that no player's trees are taken for larger
        shaded = Image.blend(one.convert("L").convert("RGB"), haze, 0.62)
        shaded.putalpha(one.getchannel("A"))
        sheet.lay(shaded, at - one.width / 2, foot - one.height + trees.FOOT * (1 + number / 26))
    return pack.flat(sheet.image().convert("RGB"), 64)


WOODS = ((176, 3, 2.8), (446, 3, 2.6), (110, 2, 2.0), (512, 2, 1.9), (206, 1, 2.2), (414, 1, 2.0))
"""The trees behind a gardener, from behind: where, of which height, how much larger than on the table's board."""


def grower(seat: int, won: bool) -> Image.Image:
    """A gardener before trees of the own variety: the winner before a whole grove, a fist raised, or another one
    before two trees.
    """
    wide, tall = 620, 440
    sheet, tones = Sheet(wide, tall), trees.LEAVES[seat]
    for at, height, k in WOODS if won else ((448, 3, 2.5), (200, 1, 2.2)):
        one = trees.tree(seat, height, k, ring=False, other=at > 300)
        one = brush.lit_edge(one, (255, 236, 170), 3, 3, 0.7)
        sheet.lay(one, at - one.width / 2 + 6, tall - one.height + trees.FOOT * k)
    random = scatter("grower")
    for _ in range(26 if won else 0):  # leaves that rain on the winner
        x, y, size = random.uniform(10, wide - 10), random.uniform(0, 300), random.uniform(9, 17)
        brush.dab(sheet, x, y, size, random.uniform(0, 180), random.choice(tones[2:]), 255, brush.LEAF, 0.6)
    with sheet.moved(wide / 2 - 50 * BUILD, tall - 152 * BUILD, 0, BUILD, BUILD):
        _body(sheet, seat, won)
        portray(sheet, seat, 3)
        _apron(sheet)
    grass(sheet, random, 170, lambda: (random.uniform(54, wide - 54), random.uniform(436, 450)), TURF, (310, 430), 400)
    return brush.lit_edge(sheet.image(), (255, 240, 190), 2, 3, 0.6)


BUILD = 2.3
"""How large a gardener before trees is, beside the one in a stall."""


def _body(sheet: Sheet, seat: int, won: bool) -> None:
    """What is below a gardener's shoulders: a body, a fist round a tool, the other one at the hip or raised."""
    tones, skin = trees.LEAVES[seat], SKIN[seat]
    steel, wood = ((206, 214, 220), (112, 122, 134)), ((190, 136, 80), (84, 54, 36))
    brush.limb(sheet, [(112, 160), (110, 90), (108, 22)], 7, 6, *wood)
    if seat % 2:  # a rake, or a spade
        brush.limb(sheet, [(88, 22), (128, 20)], 8, 8, *steel)
        for tooth in range(5):
            brush.limb(sheet, [(91 + 8.6 * tooth, 20), (91 + 8.6 * tooth, 4)], 4, 2.4, *steel)
    else:
        blade = smooth([(94, 30), (93, 8), (108, -16), (123, 8), (122, 30), (108, 34)], closed=True)
        sheet.path(blade, linear((93, 0), (123, 0), (0, steel[0]), (0.5, steel[0]), (0.5, steel[1]), (1, steel[1])))
    body = brush.between([(4, 92), (10, 120), (8, 160)], [(96, 92), (90, 120), (92, 160)])
    sheet.path(body, linear((4, 0), (96, 0), (0, tones[4]), (0.3, tones[3]), (0.3, tones[2]), (1, tones[1])))
    raised = [(14, 92), (-12, 82), (-16, 46)], (-17, 39)
    resting = [(13, 92), (-8, 116), (10, 136)], (14, 138)
    for (arm, hand), half in ((raised if won else resting, -1), (([(86, 92), (108, 118), (111, 96)], (111, 90)), 1)):
        brush.limb(sheet, arm, 25, 15, tones[4] if half < 0 else tones[3], tones[1])
        sheet.disc(*hand, 9.5, ink(mix(skin, BLACK, 0.25)))
        sheet.disc(hand[0] - 1, hand[1] - 1, 8.4, ink(skin))
        sheet.path(smooth([(hand[0] + 3, hand[1] - 8), (hand[0] + 7, hand[1] - 2), (hand[0] + 4, hand[1] + 4)]),
                   ink(mix(skin, BLACK, 0.3), stroke=2))  # fmt: skip


def _apron(sheet: Sheet) -> None:
    apron = polygon([(27, 98), (73, 98), (80, 160), (20, 160)])
    sheet.edged(apron, linear((20, 0), (80, 0), (0.62, (238, 226, 196)), (0.62, (206, 190, 160))), (120, 96, 70), 2)
    sheet.path(smooth([(36, 122), (38, 138), (62, 138), (64, 122)]), ink((150, 124, 92), stroke=2.4))


def bank() -> Image.Image:
    """A bank of the island's earth under turf, that stands before all."""
    wide, tall, random = 1200, 240, scatter("bank")
    sheet = Sheet(wide, tall)
    deep = linear((0, 0), (0, tall), (0, EARTH[2]), (0.5, mix(EARTH[1], EARTH[2], 0.3)), (1, EARTH[0]))
    sheet.box(0, 12, wide, tall, deep)
    for _ in range(260):
        x, y, tone = random.uniform(0, wide), random.uniform(40, tall), random.choice(EARTH)
        brush.dab(sheet, x, y, random.uniform(6, 20), random.uniform(-12, 12), tone, 70, brush.BLOB, 0.3)
    pebbles(sheet, random, 44, (0, 60, wide, tall), (4, 10), 0.4)
    for _ in range(60):
        x, long, sway = random.uniform(0, wide), random.uniform(40, 120), random.uniform(-20, 20)
        points = [(x, 30), (x + sway * 0.3, 30 + long * 0.4), (x + sway, 30 + long * 0.7), (x + sway * 0.6, 30 + long)]
        brush.limb(sheet, points, random.uniform(4, 8), 1, EARTH[3], EARTH[0])
    hem = [(float(x), 28 + 9 * math.sin(x / 23) + 5 * math.sin(x / 7)) for x in range(-20, wide + 40, 12)]
    turf = brush.polygon([(-20, 5), (wide + 20, 5), *hem[::-1]])
    sheet.path(turf, ink((10, 16, 20), 120, blur=6))
    sheet.path(turf, linear((0, 4), (0, 40), (0, TURF[3]), (0.4, TURF[2]), (1, TURF[0])))
    grass(sheet, random, 900, lambda: (random.uniform(0, wide), random.uniform(4, 36)), TURF, (600, 0), 900)
    return sheet.image()
