"""Cards in hands: how they lie, and their shadows."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import accumulate, pairwise

from PIL import Image

from rendering.core import theme
from rendering.core.canvas import WIDTH, Page
from rendering.core.sprites import Colour, Pixels, Sprite, pixels, shade, sprite


def place_card(page: Page, card: Sprite, x: float, y: float, glow: Colour | None = None) -> None:
    """Place a card with its shadow, or with a glow round it; x and y are its upper left corner."""
    grow, radius, blur, strength, drop = (5, 20, 7, 255, 0) if glow else (0, 14, 8, 120, 5)
    left, top = round(x), round(y)
    width, height = card.size
    below = shade(width + 2 * grow, height + 2 * grow, radius, blur, strength, glow or (0, 0, 0))
    page.place(below, left - grow - 2 * blur, top - grow - 2 * blur + drop)
    page.place(card, left, top)


def place_held(page: Page, card: str, face: Sprite, x: float, y: float, focus: Sequence[str], rise: int) -> None:
    """Place a card of a hand: if it is chosen, with a glow, and so much higher."""
    chosen = card in focus or f"play {card}" in focus
    place_card(page, face, x, y - rise * chosen, theme.BRASS_LIGHT if chosen else None)


def place_beside(page: Page, room: int, left: Sprite, right: Sprite) -> None:
    """Place two things of the place beside the cards of a small hand, which leave so much room on each side, if that is
    enough.
    """
    if room >= WIDE_BESIDE:
        page.place(left, room / 2, page.height - 20, "mb")
        page.place(right, WIDTH - room / 2, page.height - 20, "mb")


WIDE_BESIDE = 236
"""The pixels beside the cards from which on things stand there."""


def fan_step(held: int, width: int, room: int) -> int:
    """Return the pixels from one card of a hand to the next, in a fan at most `room` wide.

    Hands of about the same size have the same step, so after a move most cards keep their distance to their neighbours.
    """
    places = next((places for places in (5, 7, 10, 12) if held <= places), held)
    return min(width + 12, (room - width) // (places - 1))


def held_places(
    hand: Sequence[str], up: Collection[str], size: tuple[int, int], top: int, rise: int, *, large: bool,
    gap: int = 0, groups: int = 1,
) -> list[tuple[int, int]]:  # fmt: skip
    """Return the upper left corner of each card of a hand, those that are `up` so much higher: in a fan or, in `large`
    print, in rows. `gap`: the pixels between the suits of a fan, which are at most `groups`.
    """
    if large:
        places = tall_rows(len(hand), size, top)
    else:
        step = fan_step(len(hand), size[0], WIDTH - 2 * theme.MARGIN - gap * (groups - 1))
        suits = [0, *accumulate(a[0] != b[0] for a, b in pairwise(hand))]
        left = (WIDTH - size[0] - step * (len(hand) - 1) - gap * suits[-1]) // 2
        places = [(left + step * at + gap * suit, top) for at, suit in enumerate(suits)]
    return [(x, y - rise if card in up else y) for card, (x, y) in zip(hand, places, strict=True)]


def raised(hand: Sequence[str], playable: Collection[str]) -> Collection[str]:
    """Return the cards of a hand to raise: those that may be played, if others may not."""
    return playable if len(playable) < len(hand) else ()


IN_A_ROW = 4
"""Large cards that lie in one row."""
ROWS_APART = 40


def tall_rows(held: int, size: tuple[int, int], top: int) -> list[tuple[int, int]]:
    """Return the upper left corner of each card of a hand in large print: four in a row, or two rows that overlap."""
    width, height = size
    most = held if held <= IN_A_ROW else -(-held // 2)
    step = min(width + 14, (WIDTH - 2 * theme.MARGIN - width) // max(most - 1, 1))
    places = []
    for row in range(-(-held // most)):
        count = min(most, held - row * most)
        left = (WIDTH - width - step * (count - 1)) // 2
        places += [(left + step * at, top + row * (height + ROWS_APART)) for at in range(count)]
    return places


def tall_height(held: int, size: tuple[int, int], top: int) -> int:
    """Return the height of a page that ends with `tall_rows`."""
    return tall_rows(held, size, top)[-1][1] + size[1] + 14


@sprite
def rotated(card: Sprite, degrees: float) -> Pixels:
    """Return a card turned about its middle, at half the size of `card`: draw that twice as large."""
    rgba = card.image.convert("RGBA")
    rgba.putalpha(card.alpha)
    return pixels(rgba.rotate(degrees, Image.Resampling.BICUBIC, expand=True).reduce(2))
