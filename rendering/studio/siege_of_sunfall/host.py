"""Siege of Sunfall's attackers, who come out of the sun with torches; the carts with prizes; the crown."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PIL import Image

from rendering.core.scenery import scatter
from rendering.core.sprites import Colour, mix
from rendering.siege_of_sunfall.pieces import TINTS
from rendering.studio.brush import BLACK, Sheet, coin, flame, ink, linear, lit_edge, polygon, wood
from rendering.studio.siege_of_sunfall.drawing import RIM, TONES, against_the_light, draw

BIG = 1.2
"""Pixels of a sprite for one of a soldier's own units, in which one is 118 high."""
SIZE, DEEP = (290, 260), 44
"""A soldier's sheet, in the middle of which he stands; how much more of one behind the others is seen below him."""
DARK: tuple[Colour, Colour] = ((34, 16, 42), (64, 28, 58))
"""The front rank, and the one behind it, which has more of the evening's light."""
BODY = """P body! -30,48 -25,-40 25,-40 32,48
S cloth! -22,48 -25,-30 -24,-62 -17,-80 0,-86 17,-80 25,-62 27,-30 26,48 12,30 0,48 -12,30
s fold! 6,-66 13,-20 10,44 18,44 19,-20; L night/6 -25,-38 26,-38; S iron! -7,-44 -7,-32 7,-32 7,-44
s helm! 12,-86 27,-88 40,-76 37,-60 22,-66; P iron! 26,-86 36,-104 36,-80; P iron! -26,-86 -36,-104 -36,-80
O body! -12,-108 13,-78"""
HELMETS = {
    "helmet": """S plume! -2,-32 -14,-48 -6,-60 12,-56 24,-38 26,-14 16,-20 10,-32
S helm! -18,2 -17,-22 -7,-36 8,-36 18,-22 18,2 0,9
L night/4 0,-8 0,6; l iron/2.4 4,-34 16,-16""",
    "bow": """S cloth! -22,10 -18,-18 -8,-36 14,-44 20,-20 23,10 0,4
S night! -12,4 -12,-14 0,-22 12,-14 12,4 0,10; P bone! -9,-2 9,-2 5,8 0,10 -5,8""",
    "swords": """S bone! -14,-14 -30,-20 -38,-38 -28,-32 -12,-26; S bone! 14,-14 30,-20 38,-38 28,-32 12,-26
S helm! -16,4 -16,-18 0,-40 16,-18 16,4 0,9; L night/5 -16,-6 16,-6; L iron/3 0,-38 0,6""",
}
UP, ASIDE = (
    "C body/11 15,-74 33,-84 37,-108; O iron! 29,-116 44,-102",
    "C body/11 -15,-74 -36,-72 -50,-92; O iron! -58,-100 -44,-86",
)
"""The right arm raised, and the left one stretched out."""
WEAPONS = {
    "bow": """C leather/5 14,-144 46,-128 58,-104 56,-84 36,-54; L bone/1.4 14,-144 36,-54
L leather/2.6 8,-92 66,-116; P iron! 62,-122 78,-120 66,-110""",
    "swords": """P iron! 32,-114 43,-114 56,-168 46,-184 38,-166; L body/6 24,-113 50,-110""",
    "helmet": "L ink/5 36,-20 43,-164; P iron! 35,-156 46,-188 51,-154; S plume! 42,-152 64,-146 76,-136 41,-126",
}
TORCHES = (
    "L ink/6 37,-96 44,-142; L leather/3 37,-100 43,-136",
    "L ink/6 -48,-82 -60,-148; L leather/3 -49,-86 -59,-142",
)
FLAMES = ((44, -146), (-61, -152))
"""A torch in the right hand of one in front, in the left one of one behind; and where each burns."""
SHIELD = """S night! -42,-78 -22,-86 4,-78 2,-46 -20,-24 -40,-46; S kind -39,-75 -22,-82 1,-75 -1,-48 -20,-29 -37,-48
C edge/2.4 -38,-74 -22,-81 0,-74; L edge/3 -20,-80 -20,-32; L edge/3 -37,-60 -1,-60; O boss! -26,-66 -14,-54"""
CHAMPION = """S cape! -118,-262 -176,-190 -196,-90 -214,0 214,0 196,-90 176,-190 118,-262 0,-282
C fold/9 -150,-200 -160,-100 -176,0; C fold/9 150,-200 160,-100 176,0; C mail/50 116,-226 222,-190 264,-296
L pole/15 206,-150 320,-470; P steel 307,-399 326,-383 357,-331 382,-354 399,-384 404,-418 399,-451 342,-429 318,-429
P steel 294,-403 270,-403 213,-381 208,-414 213,-448 230,-478 255,-501 286,-449 305,-433
C shine/6 357,-331 382,-354 399,-384 404,-418 399,-451; C shine/6 213,-381 208,-414 213,-448 230,-478 255,-501
S mail -100,-252 -92,-130 -84,0 84,0 92,-130 100,-252 0,-276; L night/5 0,-252 0,0; C gold/7 -90,-128 0,-108 90,-128
C gold/7 -96,-232 0,-196 96,-232; O gold -30,-206 30,-146; O night! -20,-196 20,-156
s steel 58,-268 88,-312 142,-308 176,-262 178,-208 138,-192 96,-214; c gold/6 66,-262 96,-218 138,-198 176,-214
p steel 112,-306 138,-366 150,-300; p steel 148,-292 190,-336 172,-266; O steel 238,-338 292,-280
L night/4 244,-320 288,-316; L night/4 242,-304 290,-300
s bone 44,-372 96,-376 134,-412 148,-470 172,-410 150,-352 104,-326 52,-326; c night/3 84,-374 92,-352 84,-330
c night/3 116,-392 126,-370 116,-340; S dark -64,-268 -68,-340 -50,-394 0,-414 50,-394 68,-340 64,-268 0,-236
P steel -12,-410 12,-410 16,-330 0,-252 -16,-330; c gold/6 62,-352 20,-338 14,-252; o night! 16,-346 60,-318
p eyes! 18,-334 54,-344 50,-324 22,-322; o night! 26,-296 34,-288; o night! 42,-300 50,-292; o night! 26,-276 34,-268"""
"""The one who leads them: horns, an axe, eyes like coals."""
BARREL = """S pale -26,88 -29,66 -24,50 -4,49 1,64 -2,88; S pale 0,88 -3,66 2,50 22,49 27,64 24,88
L dark/2 -18,51 -18,66; L dark/2 -10,51 -10,66; L dark/2 8,51 8,66; L dark/2 16,51 16,66
S wood -30,160 -36,122 -30,86 30,86 36,122 30,160; C dark/6 -34,100 0,106 34,100; C dark/6 -34,146 0,152 34,146"""
CUSHION = """S tint 106,152 96,128 120,116 200,110 280,116 304,128 294,152 200,160; O gold 90,126 106,142
O gold 294,126 310,142"""
CROWN = """P rim/6 -42,32 -52,-22 -26,3 0,-41 26,3 52,-22 42,32; P gold -42,32 -52,-22 -26,3 0,-41 26,3 52,-22 42,32
P glint! -36,20 -48,-12 -30,6 -26,20; P glint! -10,20 0,-30 2,20; P glint! 26,20 47,-10 34,20
P gold -45,23 45,23 45,41 -45,41; L shine/2.4 -43,25 43,25; o blue! 21,26 31,37; O stone! -6,26 6,37
o stone 47,-31 58,-18; O stone -6,-50 6,-36"""
JEWELS: dict[str, Colour] = {"rim": (104, 58, 16), "gold": (246, 190, 78), "shine": (255, 242, 186),
                             "glint": (255, 222, 130), "blue": (60, 120, 220), "stone": (222, 54, 58)}  # fmt: skip


def soldier(kind: str, arms: str, rank: int, small: bool = False) -> Image.Image:
    """Paint one who attacks, against the light. `arms`: what he swings, a torch or the weapon of his kind, or both;
    `rank`: 0 in front, 1 behind; `small`: he is too small for his helmet.
    """
    dark, tint, torch = DARK[rank], TINT[kind], arms == "torch"
    tones = {"body": dark, "cloth": mix(mix(tint, dark, 0.42), BLACK, 0.1),
             "fold": mix(mix(tint, dark, 0.7), BLACK, 0.2), "plume": mix(tint, (255, 150, 90), 0.1),
             "helm": mix(TONES["steel"], dark, 0.4), "iron": mix(TONES["plate"], dark, 0.4),
             "bone": mix(TONES["bone"], dark, 0.25)}  # fmt: skip
    size = SIZE[0], SIZE[1] + DEEP * rank
    body, over = Sheet(*size), Sheet(*size)
    stand, large = (SIZE[0] / 2, SIZE[1] - 2, 0, *(2 * (BIG * (0.74 if small else 1),))), 1.36 if small else 1
    with body.moved(*stand):
        draw(body, UP + ("\n" + ASIDE if torch and rank else ""), tones)
        draw(body, WEAPONS[kind] if rank or not torch else TORCHES[0], tones)
        draw(body, TORCHES[1] if torch and rank else "", tones)
        draw(body, BODY, tones)
        with body.moved(0, -84, (-6, 5)[rank], large, large):
            draw(body, HELMETS[kind], tones)
            draw(body, "l eyes/4.4 3,-7 9,-9", {"eyes": (255, 200, 110)})
    over.lay(against_the_light(body, 2, 3), 0, 0)
    bright, cream = mix(tint, (255, 226, 180), 0.24 - 0.1 * rank), (255, 236, 204)
    with over.moved(*stand):
        if not (torch and rank):  # a shield in the colour of the kind
            draw(over, SHIELD, {"kind": bright, "edge": mix(bright, cream, 0.6), "boss": mix(bright, cream, 0.8)})
        if torch:
            flame(over, *FLAMES[rank], 42)
    return over.image()


def champion() -> Image.Image:
    """Paint the one who leads the host, larger than life."""
    sheet = Sheet(580, 400)
    tones: dict[str, Colour] = {
        "cape": (52, 18, 46), "fold": (30, 10, 36), "mail": (58, 40, 62), "steel": (92, 74, 92), "dark": (40, 26, 50),
        "pole": (70, 36, 36), "gold": (196, 132, 66), "bone": (206, 160, 122), "eyes": (255, 220, 120),
        "shine": (236, 196, 170),
    }  # fmt: skip
    with sheet.moved(250, 400, 0, 0.76, 0.76):
        draw(sheet, CHAMPION, tones)
    for x in (222, 278):  # their glow
        sheet.disc(x, 149, 20, ink((255, 120, 40), 120, blur=9))
    image = against_the_light(sheet, 4, 6)
    return lit_edge(image, (255, 226, 150), 0, 3, 0.9)


def cart(kind: str) -> Image.Image:
    """Paint a cart with the prize of a card that does not attack."""
    sheet, random, tint = Sheet(400, 250), scatter(f"cart {kind}"), {"tint": TINT[kind]}
    light, dark = (156, 100, 62), (64, 36, 34)
    sheet.oval(70, 40, 330, 200, ink((255, 214, 130), 84, blur=26))
    if kind == "gold":
        for row, count in enumerate((9, 8, 7, 5, 3, 2)):
            for number in range(count):
                x = 200 + (number - (count - 1) / 2) * 26 + random.uniform(-4, 4)
                coin(sheet, x, 150 - 15 * row + random.uniform(-3, 3), 17)
    for x in (128, 200, 272) if kind == "boost" else ():  # barrels of gauntlets
        with sheet.moved(x, 0):
            draw(sheet, BARREL)
    if kind == "crown":  # on a cushion
        draw(sheet, CUSHION, tint)
        with sheet.moved(200, 76, 0, 1.25, 1.25):
            draw(sheet, CROWN, JEWELS)
    for x, top in ((104, 30), (154, 14), (204, 20), (254, 10), (296, 34)) if kind == "armies" else ():
        with sheet.moved(x, top):
            draw(sheet, "L dark/5 2,0 0,140\nS tint 2,0 30,6 56,-2 46,20 56,38 28,44 2,38\nO gold -3,-8 7,2", tint)
    wood(sheet, polygon([(76, 148), (324, 148), (310, 200), (90, 200)]), (76, 148, 324, 200), random, light, dark)
    draw(sheet, "L dark/2.4 84,174 316,174\nC wood/7 318,186 366,190 396,204")
    for x in (122, 278):
        sheet.disc(x, 206, 40, ink((34, 20, 26)))
        sheet.disc(x, 206, 36, ink(light, stroke=7))
        for turn in range(4):
            with sheet.moved(x, 206, 45 * turn + 12):
                sheet.line((-33, 0), (33, 0), ink(mix(light, dark, 0.3), stroke=5))
        sheet.disc(x, 206, 9, linear((x - 9, 200), (x + 9, 212), (0, (255, 224, 150)), (1, (150, 96, 40))))
    return lit_edge(sheet.image(), RIM, 0, 3, 0.7)


def crown() -> Image.Image:
    """Paint the King's crown."""
    sheet = Sheet(132, 116)
    sheet.canvas.translate(66, 62)
    draw(sheet, CROWN, JEWELS)
    return sheet.image()


TINT = {kind.value: tint for kind, tint in TINTS.items()}
SPRITES: dict[str, Callable[[], Image.Image]] = {
    **{f"{kind}_torch_{rank}": partial(soldier, kind, "torch", rank) for kind in HELMETS for rank in (0, 1)},
    **{f"{kind}_arms": partial(soldier, kind, "arms", 1) for kind in HELMETS},
    **{f"{kind}_small": partial(soldier, kind, "torch", 0, True) for kind in HELMETS},
    **{f"cart_{kind}": partial(cart, kind) for kind in ("boost", "gold", "armies", "crown")},
    "crown": crown,
    "champion": champion,
}
