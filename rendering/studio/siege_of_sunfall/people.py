"""Siege of Sunfall's guards, from behind: eight helmets, capes and weapons; their arms; what is left of one."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from functools import partial

from PIL import Image

from rendering.core.discs import COLOURS
from rendering.core.sprites import Colour, mix
from rendering.studio.brush import BLACK, Sheet, ink, linear, lit_edge, shadow, smooth
from rendering.studio.siege_of_sunfall.drawing import GOLD, NIGHT, RIM, against_the_light, corners, draw

BIG, VICTOR, HERO = 1.45, 1.75, 2.3
"""Pixels of a sprite for one of a guard's own units, in which a guard is 200 high; of one who has
won; of the one on the cover."""
ARM = (110, 186)
"""The width and height of a raised arm, in these units."""
TALL = (0, 6, -6, 2, 4, 8, 0, 6)
SEATS = range(len(COLOURS))
GAUNTLET = 0.78
"""How large a fist is, as a part of its drawing: smaller than a head."""
BARE = (5, 7)
"""Guards with bare heads."""

SPEAR = "L dark/8 -58,0 -56,-206\nL wood/4.5 -58,0 -56,-206\nP pale -60,-204 -55,-240 -49,-204"
WEAPONS = (
    SPEAR,
    """P leather -56,-150 -38,-160 -16,-90 -32,-82; L wood/2.6 -62,-178 -48,-142; L wood/2.6 -54,-184 -40,-148
L wood/2.6 -46,-184 -32,-148; P bone! -67,-184 -58,-188 -53,-166 -62,-164
P bone! -59,-190 -50,-194 -45,-172 -54,-170; P bone! -51,-190 -42,-194 -37,-172 -46,-170""",
    """L dark/11 -48,-40 -60,-110 -66,-160; L wood/7 -48,-40 -60,-110 -66,-160
C steel/6 -96,-142 -84,-166 -66,-170 -46,-172 -32,-154; L bone/1.6 -96,-142 -32,-154""",
    """L dark/9 -34,-90 -58,-196; L leather/7 -54,-176 -62,-212; L gold/6 -76,-172 -36,-182
O gold -69,-222 -57,-210""",
    SPEAR.replace("-240", "-244") + "\nS red -60,-214 -78,-206 -90,-214 -84,-202 -92,-190 -74,-194 -60,-186",
    SPEAR + "\nS pale -55,-196 -76,-210 -78,-180 -55,-172",
    """L dark/10 -52,-20 -58,-110 -62,-184; L wood/6 -52,-20 -58,-110 -62,-184
S pale -60,-186 -90,-196 -96,-166 -90,-140 -58,-156""",
    """L dark/9 -36,-104 -56,-156 -66,-190; L wood/6 -36,-104 -56,-156 -66,-190
P leather -60,-186 -74,-206 -82,-200 -70,-182; S lute -46,-118 -24,-110 -10,-70 -34,-46 -56,-66 -58,-100""",
)
"""What each carries at the left: a spear, a quiver, a crossbow, a great sword, a lance, a halberd, an axe; and a lute:
not all of them are soldiers.
"""
DOME = "S steel -26,-132 -27,-164 -14,-186 0,-190 14,-186 27,-164 26,-132 0,-122\n"
HEADS = (
    """S steel -27,-136 -25,-164 -12,-186 0,-202 12,-186 25,-164 27,-136 0,-126; L dark/2 0,-200 0,-130
C gold/4.5 -27,-136 0,-126 27,-136""",
    """S hood -32,-118 -30,-158 -14,-186 6,-196 24,-172 32,-146 34,-118 0,-106
C deep/2.6 4,-194 2,-160 -4,-116; C deep/2.6 16,-184 18,-150 14,-116; C deep/2.6 -14,-182 -18,-148 -18,-116""",
    """O dark! -22,-160 22,-122; S steel -26,-152 -22,-178 0,-192 22,-178 26,-152 0,-146
O steel -46,-163 46,-143; C pale/2.4 -46,-154 -20,-161 20,-161 46,-154""",
    """P steel -28,-122 -30,-178 -22,-190 22,-190 30,-178 28,-122; L gold/4 0,-190 0,-122
L gold/4 -29,-158 29,-158; o dark! 18,-174 22,-170; o dark! 8,-174 12,-170; o dark! 18,-142 22,-138
o dark! 8,-142 12,-138""",
    """S red -4,-186 -18,-204 -8,-226 14,-232 34,-222 46,-198 44,-168 34,-158 30,-182 14,-192
C wine/2.4 0,-190 6,-212 20,-220; C wine/2.4 10,-192 22,-204 34,-206; C wine/2.4 22,-188 34,-188 40,-176
"""
    + DOME
    + "C gold/4.5 -26,-134 0,-124 26,-134",
    """S hair -26,-136 -27,-166 -12,-186 12,-186 27,-166 26,-136 0,-124
S hair -8,-140 -12,-112 -8,-84 0,-64 8,-84 12,-112 8,-140; C ink/2.4 -10,-139 0,-131 10,-139
C ink/2.4 -10,-121 0,-113 10,-121; C ink/2.4 -10,-103 0,-95 10,-103; C ink/2.4 -9,-87 0,-79 9,-87
C gold/4 -27,-160 0,-168 27,-160""",
    "s bone 18,-172 38,-176 48,-192 47,-216 38,-196 20,-188\n" + DOME + "C gold/5 -27,-158 0,-150 27,-158",
    """S hood -34,-158 -28,-182 0,-194 30,-184 36,-160 0,-150; S bone 18,-180 34,-206 58,-224 52,-198 30,-172
C leather/1.8 20,-176 36,-196 54,-220""",
)
"""What each wears on the head: a bascinet, a hood, a kettle hat, a great helm, a plume, a plait, horns, a cap."""
FACE = "S face -16,-168 -27,-160 -29,-150 -35,-144 -29,-140 -28,-130 -18,-122 -8,-132\nO ink! -27,-154 -23,-150"
CAPES = (
    "-26,-130 -47,-106 -52,-60 -62,-12 -46,-20 -30,-6 -8,-18 14,-4 36,-20 66,-14 98,-34 78,-62 50,-106 26,-130 0,-135",
    "-24,-128 -42,-104 -44,-60 -52,-6 -36,-12 -18,-2 0,-22 16,-2 38,-10 58,-4 50,-60 42,-104 24,-128 0,-133",
    "-28,-130 -57,-110 -72,-74 -84,-40 -58,-46 -42,-28 -22,-42 -2,-26 20,-42 42,-28 62,-44 88,-40 74,-76 57,-110",
    "-34,-132 -58,-118 -60,-70 -68,-4 -48,-12 -26,-2 0,-12 26,-2 48,-12 70,-4 62,-70 58,-118 34,-132 0,-137",
    "-26,-130 -48,-108 -56,-66 -70,-8 -46,-18 -22,-4 4,-16 32,-2 58,-18 84,-12 100,-46 66,-84 47,-112 26,-130 0,-135",
    "-24,-128 -41,-108 -48,-64 -60,-20 -36,-14 -18,-2 4,-18 26,0 48,-14 76,-22 54,-66 42,-108 24,-128 0,-133",
    "-34,-132 -62,-114 -68,-70 -78,-18 -62,-28 -50,-8 -34,-24 -18,-4 0,-22 18,-4 34,-24 50,-8 64,-28 80,-18 62,-114",
    "-24,-130 -42,-112 -47,-70 -46,-32 -26,-44 -8,-28 16,-44 40,-28 66,-42 98,-52 74,-82 52,-108 26,-130 0,-135",
)
"""The cape of each, as the wind has it: its outline, the hem from left to right within it."""
LEGS = """p boot 4,-60 8,-14 6,1 44,3 33,-12 32,-62; l night/3 8,-20 34,-19; l gold/2.4 9,-24 34,-23
S dark -36,-116 -33,-50 0,-44 33,-50 36,-116; L leather/9 -32,-54 32,-54"""
SHOULDERS = """s steel 20,-133 42,-129 55,-112 50,-98 37,-110 18,-120; c pale/2.4 24,-130 42,-125 52,-110
C gold/4 -36,-124 0,-112 36,-124; o leather! 32,-129 43,-118; o bone! 33,-129 42,-120"""
GRIP = """C iron/17 -40,-114 -56,-100 -57,-86; S plate -67,-98 -50,-100 -47,-84 -56,-76 -68,-82
L night/1.7 -66,-92 -49,-93; L night/1.7 -67,-86 -48,-87"""
"""An arm that holds a pole."""
POLES = (0, 2, 4, 5, 6)
"""Guards whose weapons have one."""
FIST = """P pale -36,-68 -22,-108 22,-108 36,-68; C gold/5 -36,-68 0,-61 36,-68; L gold/3.4 -24,-100 24,-100
S shell -26,-104 -39,-128 -38,-160 -24,-176 26,-176 41,-160 41,-126 27,-104
S plate -39,-144 -41,-166 -33,-178 -22,-176 -20,-160 -21,-142
S plate -19,-142 -20,-172 -11,-182 -2,-179 0,-160 -1,-141; S plate 1,-141 0,-174 9,-182 18,-179 20,-160 19,-142
S plate 21,-142 21,-170 29,-178 39,-171 41,-156 40,-140; L night/1.7 -20,-174 -20,-138; L night/1.7 0,-178 0,-138
L night/1.7 20,-174 20,-138; C night/1.7 -37,-162 -30,-165 -22,-162; C night/1.7 -18,-165 -10,-168 -2,-165
C night/1.7 2,-165 10,-168 18,-165; C night/1.7 22,-162 30,-165 38,-161
S night! -44,-132 -38,-148 -14,-148 14,-144 26,-132 20,-117 -4,-112 -30,-108
S plate -41,-132 -35,-144 -14,-145 12,-141 22,-131 17,-120 -4,-115 -29,-112; C night/1.7 -8,-144 -4,-131 -8,-116"""
SLEEVE = """S hood -34,-30 -22,-56 -17,-78 17,-78 21,-52 19,-30 8,-16 -12,-12 -28,-16; C deep/2.4 9,-72 12,-46 6,-24
C deep/2.4 -6,-72 -6,-46 -14,-22"""
"""A sleeve that hangs from a raised wrist and is gone behind the cape at the shoulder."""
CUFF = "S pale -21,-66 -25,-92 24,-96 21,-66\nC gold/4.4 -21,-70 0,-65 21,-70\n"
PALM = """s plate 25,-104 26,-126 34,-134 42,-126 41,-106; s plate 3,-106 3,-132 11,-140 20,-132 21,-106
S shell -24,-92 -40,-106 -42,-118 -24,-122 24,-122 42,-118 40,-106 24,-92
S plate -26,-94 -46,-104 -56,-120 -50,-130 -42,-122 -32,-112; l night/1.7 22,-108 23,-124; L night/1.7 0,-108 0,-124"""


def _sheet(wide: float, tall: float, big: float = BIG) -> Sheet:
    """Return a sheet in a guard's units, its origin in the middle of its foot."""
    sheet = Sheet(round(wide * big), round(tall * big))
    sheet.canvas.translate(wide * big / 2, tall * big)
    sheet.canvas.scale(big, big)
    return sheet


def _tones(colour: Colour) -> dict[str, Colour]:
    mid = mix(colour, NIGHT, 0.26)
    return {"hood": mid, "deep": mix(mid, BLACK, 0.5), "lute": (168, 108, 62), "boot": (62, 44, 40)}


def guard(seat: int, turned: bool = False) -> Image.Image:
    """Paint a guard from behind; `turned`: with the head to the left."""
    sheet = _sheet(200, 257)
    sheet.canvas.translate(0, -9)
    dress(sheet, seat, turned)
    return against_the_light(sheet)


def dress(sheet: Sheet, seat: int, turned: bool = False) -> None:
    """Paint a guard's weapon, legs, cape and helmet."""
    colour, tones, edge = COLOURS[seat], _tones(COLOURS[seat]), corners(CAPES[seat])
    sheet.oval(-66, -9, 78, 9, ink(NIGHT, 150, blur=4))
    draw(sheet, WEAPONS[seat], tones)
    draw(sheet, LEGS, tones)
    cape, deep = smooth(edge, closed=True), mix(colour, NIGHT, 0.7)
    hem = sorted((point for point in edge if point[1] > -54), key=lambda point: point[0])
    stops = (0, mix(colour, (255, 214, 160), 0.16)), (0.34, mix(colour, NIGHT, 0.12)), (1, mix(colour, NIGHT, 0.5))

    def folds() -> None:
        for number, (x, y) in enumerate(hem):  # each rises from the hem towards the shoulders, as cloth hangs
            deep_fold, top = number % 2 == 0, (x * 0.36, -112 + 4 * (number % 3))
            wide, middle = (11.0, 8.0)[number % 2], (x * 0.7, (y - 104) / 2)
            points = [top, (middle[0] - wide / 2, middle[1]), (x - wide, y + 12), (x + wide, y + 12),
                      (middle[0] + wide / 2, middle[1])]  # fmt: skip
            tone = mix(colour, NIGHT, 0.62) if deep_fold else mix(colour, (255, 226, 180), 0.3)
            sheet.path(smooth(points, closed=True), ink(tone, 150 if deep_fold else 96))
        sides = (0, NIGHT, 120), (0.2, NIGHT, 0), (0.76, NIGHT, 0), (1, NIGHT, 170)
        sheet.box(-104, -140, 104, 8, linear((-66, 0), (74, 0), *sides))
        sheet.path(smooth([(x, y - 5) for x, y in hem]), ink(mix(GOLD, deep, 0.25), stroke=3.6))

    sheet.path(cape, linear((0, -134), (0, 0), *stops))
    sheet.inside(cape, folds)
    with sheet.moved(3 * turned, -TALL[seat]):
        draw(sheet, "S dark -16,-138 16,-138 22,-116 -22,-116" + ("\nO skin -22,-182 22,-124" if seat in BARE else ""))
        draw(sheet, (FACE + "\n" if turned else "") + HEADS[seat], tones)
    draw(sheet, SHOULDERS + ("\n" + GRIP if seat in POLES else ""), tones)


def arm(seat: int, fist: bool) -> Image.Image:
    """Paint a raised arm: a steel fist of a guard who has pledged, or an open hand that holds its pledge up."""
    sheet = _sheet(*ARM)
    raise_arm(sheet, seat, fist)
    return against_the_light(sheet)


def raise_arm(sheet: Sheet, seat: int, fist: bool) -> None:
    """Paint a sleeve and a hand in steel, the elbow at the sheet's origin."""
    draw(sheet, SLEEVE, _tones(COLOURS[seat]))
    with sheet.moved(0, -68 * (1 - GAUNTLET), 0, GAUNTLET, GAUNTLET) if fist else nullcontext():
        draw(sheet, FIST if fist else CUFF + PALM)


def victor(seat: int, big: float = VICTOR) -> Image.Image:
    """Paint a guard large, the fist raised into the last light: one who has won, and the one of the cover."""
    sheet, tones = _sheet(290, 257, big), _tones(COLOURS[seat])
    sheet.canvas.translate(0, -9)
    draw(sheet, "S hood 20,-122 44,-122 66,-112 82,-96 80,-78 62,-74 40,-84 22,-96", tones)
    with sheet.moved(74, -84, 8, 0.76, 0.86):
        raise_arm(sheet, seat, True)
    dress(sheet, seat, True)
    return against_the_light(sheet, 4, 5)


def fallen(seat: int) -> Image.Image:
    """Paint what is left of a guard who is out: the helmet on the ground, on a rag of the cape."""
    colour, sheet = COLOURS[seat], _sheet(150, 92)
    rag = smooth(corners("-66,-2 -58,-18 -34,-24 -6,-20 22,-26 50,-16 68,-3 40,0 0,-3 -34,0"), closed=True)
    sheet.path(rag, linear((0, -26), (0, 0), (0, mix(colour, NIGHT, 0.12)), (1, mix(colour, NIGHT, 0.6))))
    for x in (-40.0, -16.0, 14.0, 38.0):
        sheet.path(smooth([(x, -22), (x + 6, -12), (x - 2, -1)]), ink(NIGHT, 110, stroke=3))
    sheet.canvas.translate(98, -38)
    sheet.canvas.rotate(-104)
    sheet.canvas.translate(0, 26)
    sheet.canvas.scale(0.9, 0.9)
    draw(sheet, "O gold/6 -26,-178 26,-150" if seat == BARE[0] else HEADS[seat], _tones(colour))
    return shadow(lit_edge(sheet.image(), RIM, 0, 3, 0.8), (8, 4, 14), 150, 3, 0, 3)


SPRITES: dict[str, Callable[[], Image.Image]] = {
    **{f"guard_{seat}": partial(guard, seat) for seat in SEATS},
    **{f"turned_{seat}": partial(guard, seat, True) for seat in SEATS},
    **{f"fist_{seat}": partial(arm, seat, True) for seat in SEATS},
    **{f"palm_{seat}": partial(arm, seat, False) for seat in SEATS},
    **{f"fallen_{seat}": partial(fallen, seat) for seat in SEATS},
    **{f"victor_{seat}": partial(victor, seat) for seat in SEATS},
    "hero": partial(victor, 0, HERO),
}
