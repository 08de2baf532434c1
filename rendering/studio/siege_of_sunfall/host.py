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
SIZE, STAND = (200, 260), 84
"""A soldier's sheet, and where on it he stands."""
DARK: tuple[Colour, Colour] = ((34, 16, 42), (64, 28, 58))
"""The front rank, and the one behind it, which has more of the evening's light."""
BODY = """P body! -17,0 -14,-38 -1,-40 -5,0
P body! 5,0 2,-40 15,-38 20,0
S cloth! -23,-30 -22,-60 -16,-80 0,-85 16,-81 22,-62 24,-30 0,-25
L night/5 -21,-46 22,-46
O body! -12,-108 13,-78"""
HELMETS = {
    "helmet": """S plume! -4,-34 -20,-52 4,-60 28,-44 26,-24 12,-30
S helm! -18,2 -17,-22 -7,-35 8,-35 18,-22 18,2 0,7""",
    "bow": "S cloth! -20,8 -17,-18 -4,-34 10,-36 18,-18 21,8 0,4",
    "swords": "S helm! -15,0 -15,-18 0,-38 15,-18 15,0 0,5\nL night/5 -15,-6 15,-6",
}
ARMS = {
    "torch": "C body/10 14,-72 31,-86 34,-108\nL ink/5.5 33,-96 39,-138",
    "bow": """C body/9 14,-70 30,-74 44,-80
C leather/5 34,-132 54,-106 58,-80 54,-54 34,-28
L bone/1.4 34,-132 34,-28""",
    "swords": """C body/10 14,-72 29,-92 27,-112
P iron! 22,-114 31,-114 37,-164 30,-176 25,-162
L body/5 14,-116 40,-112""",
    "helmet": "C body/10 14,-72 27,-84 29,-102\nL ink/4.4 27,-30 31,-180\nP iron! 24,-176 32,-204 38,-176",
}
SHIELD = "O night! -36,-76 4,-36\nO kind -34,-74 2,-38\nO edge/2.2 -33,-73 1,-39\nO boss! -21,-61 -11,-51"
CHAMPION = """S cape! -118,-262 -176,-190 -196,-90 -214,0 214,0 196,-90 176,-190 118,-262 0,-282
C fold/9 -150,-200 -160,-100 -176,0
C fold/9 150,-200 160,-100 176,0
C mail/50 116,-226 222,-190 264,-296
L pole/15 206,-150 320,-470
P steel 307,-399 326,-383 357,-331 382,-354 399,-384 404,-418 399,-451 342,-429 318,-429
P steel 294,-403 270,-403 213,-381 208,-414 213,-448 230,-478 255,-501 286,-449 305,-433
C shine/6 357,-331 382,-354 399,-384 404,-418 399,-451
C shine/6 213,-381 208,-414 213,-448 230,-478 255,-501
S mail -100,-252 -92,-130 -84,0 84,0 92,-130 100,-252 0,-276
L night/5 0,-252 0,0
C gold/7 -90,-128 0,-108 90,-128
C gold/7 -96,-232 0,-196 96,-232
O gold -30,-206 30,-146
O night! -20,-196 20,-156
s steel 58,-268 88,-312 142,-308 176,-262 178,-208 138,-192 96,-214
c gold/6 66,-262 96,-218 138,-198 176,-214
p steel 112,-306 138,-366 150,-300
p steel 148,-292 190,-336 172,-266
O steel 238,-338 292,-280
L night/4 244,-320 288,-316
L night/4 242,-304 290,-300
s bone 44,-372 96,-376 134,-412 148,-470 172,-410 150,-352 104,-326 52,-326
c night/3 84,-374 92,-352 84,-330
c night/3 116,-392 126,-370 116,-340
S dark -64,-268 -68,-340 -50,-394 0,-414 50,-394 68,-340 64,-268 0,-236
P steel -12,-410 12,-410 16,-330 0,-252 -16,-330
c gold/6 62,-352 20,-338 14,-252
o night! 16,-346 60,-318
p eyes! 18,-334 54,-344 50,-324 22,-322
o night! 26,-296 34,-288
o night! 42,-300 50,-292
o night! 26,-276 34,-268"""
"""The one who leads them: horns, an axe, eyes like coals."""
BARREL = """S pale -26,88 -29,66 -24,50 -4,49 1,64 -2,88
S pale 0,88 -3,66 2,50 22,49 27,64 24,88
L dark/2 -18,51 -18,66
L dark/2 -10,51 -10,66
L dark/2 8,51 8,66
L dark/2 16,51 16,66
S wood -30,160 -36,122 -30,86 30,86 36,122 30,160
C dark/6 -34,100 0,106 34,100
C dark/6 -34,146 0,152 34,146"""
CUSHION = """S tint 106,152 96,128 120,116 200,110 280,116 304,128 294,152 200,160
O gold 90,126 106,142
O gold 294,126 310,142"""
CROWN = """P rim/6 -42,32 -52,-22 -26,3 0,-41 26,3 52,-22 42,32
P gold -42,32 -52,-22 -26,3 0,-41 26,3 52,-22 42,32
P glint! -36,20 -48,-12 -30,6 -26,20
P glint! -10,20 0,-30 2,20
P glint! 26,20 47,-10 34,20
P gold -45,23 45,23 45,41 -45,41
L shine/2.4 -43,25 43,25
o blue! 21,26 31,37
O stone! -6,26 6,37
o stone 47,-31 58,-18
O stone -6,-50 6,-36"""
JEWELS: dict[str, Colour] = {"rim": (104, 58, 16), "gold": (246, 190, 78), "shine": (255, 242, 186),
                             "glint": (255, 222, 130), "blue": (60, 120, 220), "stone": (222, 54, 58)}  # fmt: skip


def soldier(kind: str, arms: str, rank: int, small: bool = False) -> Image.Image:
    """Paint one who attacks, against the light. `arms`: what he swings, a torch or the weapon of his kind; `rank`: 0
    in front, 1 behind; `small`: he is too small for his helmet.
    """
    dark, tint = DARK[rank], TINT[kind]
    tones = {"body": dark, "cloth": mix(mix(tint, dark, 0.55), BLACK, 0.15), "plume": mix(tint, dark, 0.12),
             "helm": mix(TONES["dark"], dark, 0.35), "iron": mix(TONES["steel"], dark, 0.45)}  # fmt: skip
    body, over = Sheet(*SIZE), Sheet(*SIZE)
    stand, large = (STAND, SIZE[1] - 2, 0, *(2 * (BIG * (0.74 if small else 1),))), 1.36 if small else 1
    with body.moved(*stand):
        draw(body, BODY, tones)
        with body.moved(0, -84, 0, large, large):
            draw(body, HELMETS[kind], tones)
            draw(body, "L eyes/4 -7,-6 8,-6", {"eyes": (255, 190, 110)})
        draw(body, ARMS[arms if arms == "torch" else kind], tones)
    over.lay(against_the_light(body, 2, 3), 0, 0)
    bright, cream = mix(mix(tint, (255, 226, 180), 0.2), dark, 0.25 * rank), (255, 236, 204)
    if arms == "torch" or kind != "bow":  # a shield in the colour of the kind
        shield = {"kind": bright, "edge": mix(bright, cream, 0.6), "boss": mix(bright, cream, 0.8)}
        with over.moved(*stand):
            draw(over, SHIELD, shield)
    if arms == "torch":
        with over.moved(*stand):
            flame(over, 39, -142, 40)
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
