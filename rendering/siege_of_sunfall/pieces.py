"""Siege of Sunfall's pieces: its colours and signs; plates, stacks and rows of coins, made of painted sprites."""

from __future__ import annotations

from PIL import Image

from rendering.core import theme
from rendering.core.art import art, cut, resized
from rendering.core.emblems import Emblem
from rendering.core.labels import Labels
from rendering.core.sprites import Colour, Pen, Pixels, Sprite, mix, pixels, sprite
from rendering.siege_of_sunfall import emblems
from rules.siege_of_sunfall.figures import STRENGTHS
from rules.siege_of_sunfall.types import Kind

SLUG = "siege_of_sunfall"

# Colours

TINTS: dict[Kind, Colour] = {
    Kind.SWORDS: (17, 53, 172),
    Kind.HELMET: (162, 89, 58),
    Kind.BOW: (16, 64, 9),
    Kind.BOOST: (153, 38, 46),
    Kind.GOLD: (153, 114, 6),
    Kind.ARMIES: (146, 70, 135),
    Kind.CROWN: (61, 25, 87),
    Kind.END: (206, 92, 30),
}

# Signs


def _boost(pen: Pen, x: float, y: float, size: float, colour: Colour, cut: Colour) -> None:
    """A hand that adds to a pledge."""
    emblems.fist(pen, x - size * 0.1, y + size * 0.04, size * 0.82, colour, cut)
    for box in ((0.22, -0.46, 0.34, -0.1), (0.1, -0.34, 0.46, -0.22)):
        left, top, right, bottom = (v * size for v in box)
        pen.box(x + left, y + top, x + right, y + bottom, 1, colour)


def _gold(pen: Pen, x: float, y: float, size: float, colour: Colour, cut: Colour) -> None:
    """Two stacks of coins."""
    for column, (px, high) in enumerate(((-0.24, 4), (0.24, 3))):
        for i in range(high):
            top = y + size * (0.26 - 0.17 * i)
            left, right = x + size * (px - 0.24), x + size * (px + 0.24)
            pen.box(left, top, right, top + size * 0.2, size * 0.09, cut)
            pen.box(left, top, right, top + size * 0.155, size * 0.075, mix(colour, cut, 0.12 * column))


SIGNS: dict[Kind, Emblem] = {
    Kind.SWORDS: emblems.swords,
    Kind.HELMET: emblems.helmet,
    Kind.BOW: emblems.bow,
    Kind.BOOST: _boost,
    Kind.GOLD: _gold,
    Kind.ARMIES: emblems.banner,
    Kind.CROWN: emblems.crown,
    Kind.END: emblems.gate,
}


# Pieces


def sprite_of(name: str, width: int = 0) -> Sprite:
    """Return one of the game's painted sprites, in its own size or `width` pixels wide."""
    return art(f"{SLUG}/{name}", width)


def title_of(labels: Labels, kind: Kind) -> str:
    """Return the name of cards of that kind."""
    return labels.say(f"card.{kind.value}")


def plaque(state: str, width: int, height: int) -> Sprite:
    """The plate under a name: "turn", "sealed" or "idle"."""
    return fitted(f"plaque_{state}", width, height)


@sprite
def pillar(name: str, width: int, height: int) -> Pixels:
    """A tower: what is as high as a figure of the statistics; before it as many foes as that tells of."""
    tower = sprite_of("tower", min(width, 210))
    whole, foes = cut(tower, tower.size[0], height).layer, FOES.get(name, ())
    for number, kind in enumerate(foes):
        foe = sprite_of(f"{kind}_torch_{number % 2}", 96).layer
        x = whole.width // 2 + round((number - (len(foes) - 1) / 2) * 150 / max(3, len(foes)))
        whole.alpha_composite(foe, (x - foe.width // 2, max(0, height - foe.height)))
    return pixels(whole)


FOES = {name: ("bow", "swords", "helmet", "swords")[: count + 1] for count, name in enumerate((*STRENGTHS, "fierce"))}
"""The foes before the tower of each strength of attacks."""


@sprite
def fitted(name: str, width: int, height: int) -> Pixels:
    """A sprite of that width and height: its middle is left out, so that its ends keep their shape."""
    image = sprite_of(name).layer
    image = resized(image, max(width, round(image.width * height / image.height)), height)
    left, whole = (width + 1) // 2, Image.new("RGBA", (width, height))
    whole.paste(image.crop((0, 0, left, height)))
    whole.paste(image.crop((image.width - width + left, 0, image.width, height)), (left, 0))
    return pixels(whole)


@sprite
def stack(width: int, coins: int, rise: int) -> Pixels:
    """Coins that lie on each other."""
    coin = sprite_of("flat", width).layer
    whole = Image.new("RGBA", (width, coin.height + rise * (coins - 1)))
    for number in range(coins):
        whole.alpha_composite(coin, (0, rise * (coins - 1 - number)))
    return pixels(whole)


@sprite
def track(strength: int, total: int, step: int) -> Pixels:
    """Coins in a row against a line of gold at the strength of an attack; torches that no coin puts out burn on."""
    coin, fire = sprite_of("coin", 46).layer, sprite_of("fire", 46).layer
    whole = Image.new("RGBA", (step * (max(strength, total, 1) - 1) + 48, 60))
    for at in reversed(range(max(strength, total))):
        piece = fire if at >= total else coin
        whole.alpha_composite(piece, (at * step, (60 - piece.height) // 2))
        if at == strength > 0:
            left = at * step - (48 - step) // 2
            for inset, colour in ((0, theme.INK), (2, theme.BRASS_LIGHT)):
                line = Image.new("RGBA", (10 - 2 * inset, 60 - 2 * inset), (*colour, 255))
                whole.alpha_composite(line, (left + inset - 1, inset))
    return pixels(whole)
