"""What the pictures of all games lay over their stage: the head of a page, titles, ribbons, flags, tokens, crowns.

One sign has one meaning in all games. A crown: this wins, now or for good. A flag on a thing: what the round
added. A ribbon: an event, one at a time. A card that lies lower and paler: it cannot be played now.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from PIL import Image, ImageOps

from rendering.core import art, lettering, theme
from rendering.core.canvas import WIDTH, Page
from rendering.core.discs import disc, first_fit, first_words, short_name
from rendering.core.emblems import Emblem
from rendering.core.formatting import drawable_name
from rendering.core.labels import Labels
from rendering.core.sprites import SCALE, Colour, Pen, Pixels, Sprite, mix, pixels, sprite

NIGHT: Colour = (14, 20, 34)
"""The dark round words, and of shade."""
HEADER_LINE = 46
"""The middle of the line at the top of a table."""
VICTORY = 54, 42
"""The largest and the smallest type that says who won."""
LEAST_NAME = 130
"""The least width in which a name that is cut still tells who it is."""
TILT = 6
"""Degrees by which a ribbon is turned."""

COLOURS: tuple[Colour, ...] = (NIGHT,)
"""The colours that a picture with these things has exactly."""


def victory(
    labels: Labels, winners: Collection[int], width: int, team: str = "", *,
    sizes: tuple[int, int] = VICTORY, face: str = lettering.TEXT,
) -> tuple[str, int]:  # fmt: skip
    """Return who won, "Ann wins!", and the size of its type, so that it is at most `width` wide: with the names in full
    or, if they are too wide, their first words, or names that are cut. `team`: its name, if a team won; a picture says
    it if there is no room for names. `sizes`: the largest and the smallest type.
    """
    seats, (most, least) = sorted(winners), sizes
    key = "story.one_wins" if len(seats) == 1 else "story.several_win"

    def told(names: Sequence[str]) -> str:
        return labels.say(key, name=labels.list(names))

    if not seats:
        texts = [labels.say("story.nobody")]
    else:
        texts = [told([drawable_name(labels, seat) for seat in seats]), told(first_words(labels, seats))]
        room = (width - lettering.width(told(["i"] * len(seats)), least, face)) // len(seats)
        if team:
            texts.append(labels.say("story.one_wins", name=team))
        elif room >= LEAST_NAME:
            texts.append(told([short_name(labels, seat, least, room, face) for seat in seats]))
        else:
            texts.append(labels.say("story.share"))
    text = first_fit(texts, least, width, face)
    return text, lettering.fitting(text, most, least, width, face)


def place_title(page: Page, labels: Labels, y: int, face: str = lettering.DISPLAY, dark: Colour = NIGHT) -> None:
    """Write a game's title on its cover, and its tagline below; y is the middle of the title."""
    title, tagline = labels.say("game.title"), labels.say("game.tagline")
    size = lettering.fitting(title, 136, 80, 1130, face)
    page.text(WIDTH / 2, y + 5, title, size, theme.BRASS_DARK, 1190, "mm", face, dark)
    page.text(WIDTH / 2, y, title, size, theme.BRASS_LIGHT, 1190, "mm", face)
    size = lettering.fitting(tagline, 46, theme.SMALL, 1140)
    page.text(WIDTH / 2, y + 98, tagline, size, theme.CREAM, 1180, "mm", halo=dark)


def place_people(page: Page, labels: Labels, seats: int) -> None:
    """Place those who have joined a lobby at the foot of its cover, and a stool for each place that is free."""
    if not (count := max(len(labels.names), seats)):
        return
    size, step, y = 100, 116, page.height - 66
    for number in range(count):
        x = WIDTH / 2 + (number - (count - 1) / 2) * step
        page.place(art.art("common/rest", size + 24), x, y + size * 0.46, "mm")
        page.place(
            disc(labels, number, size) if number < len(labels.names) else art.art("common/seat", size - 12), x, y, "mm"
        )


def place_ribbon(page: Page, x: float, y: float, text: str, tint: Colour, size: int = 46) -> None:
    """Place the ribbon of an event, in type of that size; x and y are its middle."""
    page.place(_ribbon(text, tint, size), x, y, "mm")


def place_flag(page: Page, x: float, y: float, text: str, right: float = WIDTH) -> None:
    """Plant a flag with a word on a thing; (x, y) is the foot of its pole, farther left if it would pass `right`."""
    flag = _flag(text)
    page.place(flag, min(x - 5, right - flag.size[0]), y, "lb")


def place_head(
    page: Page, sentences: Sequence[str], parts: Sequence[str] = (), small: Sequence[str] = (), *, face: str,
    dark: Colour, fill: Colour = theme.BRASS_LIGHT, y: int = HEADER_LINE, room: int = WIDTH - 2 * theme.MARGIN,
    small_room: int = WIDTH - 2 * theme.MARGIN,
) -> None:  # fmt: skip
    """Write the head of a page: one large sentence in the game's face, at its right where the match is, and below it
    one small sentence.

    `sentences`, `small`: the same ever shorter; the first that fits is written. `parts`: of what stands at the right,
    in the order of their worth; the last ones go if there is no room for them, before a name is cut. `dark`: the colour
    of the halos; `room`, `small_room`: the width for both, and for the small sentence.
    """
    left, begin, small_room = theme.MARGIN, len(page.strokes), min(room, small_room)
    most, least = HEAD_SIZES
    whole = [sentence for sentence in sentences if lettering.ELLIPSIS not in sentence]
    for texts, count in [(group, count) for group in (whole, sentences) for count in range(len(parts), -1, -1)]:
        right = " · ".join(parts[:count])
        free = room - (lettering.width(right, theme.SMALL) + 40 if right else 0)
        text = next((text for text in texts if lettering.width(text, least, face) <= free), "")
        if text:
            break
    text = text or sentences[-1]
    page.text(left, y, text, lettering.fitting(text, most, least, free, face), fill, free, "lm", face, dark)
    if right:
        page.text(WIDTH - left, y, right, theme.SMALL, theme.CREAM, room, "rm", halo=dark)
    if small:
        shown = first_fit(small, theme.SMALL, small_room)
        page.text(left, y + HEAD_APART, shown, theme.SMALL, theme.CREAM, small_room, halo=dark)
    page.pass_over(len(page.strokes) - begin)


HEAD_SIZES = (58, theme.HEADING)
"""The largest and the smallest type of the large sentence."""
HEAD_APART = 56
"""Pixels from the large sentence to the small one."""


# Sprites


@sprite
def _flag(text: str) -> Pixels:
    """A small pennant of brass on a pole, with a word."""
    whole = art.cut(art.art("common/flag"), lettering.width(text, theme.SMALL) + 48, FLAG).layer
    return pixels(_lettered(whole, text, theme.SMALL, (whole.width - 10) // 2 + 2, 23, theme.INK, lettering.TEXT))


def _lettered(sheet: Image.Image, text: str, size: int, x: int, y: int, colour: Colour, face: str) -> Image.Image:
    """Return a sheet with words on it; (x, y) is the middle of their capitals."""
    mask = lettering.mask(lettering.fit(text, size, WIDTH, face), size, face)
    at = x - mask.width // 2, round(y - lettering.baseline(size) + size * lettering.capitals(face) / 2)
    sheet.paste((*colour, 255), (*at, at[0] + mask.width, at[1] + mask.height), mask)
    return sheet


FLAG = 56
"""The height of a flag with its pole."""


@sprite
def token(emblem: Emblem, size: int, face: Colour = theme.BRASS, ink: Colour = theme.INK) -> Pixels:
    """A token that lies on a disc: the dealer, the first player, the King, a player who drops out."""
    coin = art.art("common/token", size)
    pen = Pen(size, size)
    emblem(pen, size / 2, size / 2, size * 0.6, ink, face)
    sheet = coin.layer
    if face != theme.BRASS:
        grey = ImageOps.autocontrast(coin.image.convert("L"), cutoff=2)
        dark, pale = mix(face, (0, 0, 0), 0.6), mix(face, (255, 255, 255), 0.5)
        sheet = ImageOps.colorize(grey, dark, pale, face).convert("RGBA")
        sheet.putalpha(coin.alpha)
    sheet.alpha_composite(pen.sheet.reduce(SCALE))
    return pixels(sheet)


@sprite
def rank_of(number: int) -> Pixels:
    """A coin with a rank."""
    return pixels(
        _lettered(art.art("common/token", 50).layer, str(number), theme.SMALL, 25, 24, theme.INK, lettering.TEXT)
    )


def crown(size: int) -> Sprite:
    """Return a crown: this wins."""
    return art.art("common/crown", size)


@sprite
def _ribbon(text: str, tint: Colour, size: int) -> Pixels:
    """A ribbon in the colour of an event, with its word, a little turned. It is drawn twice as large."""
    wide = lettering.width(text, 2 * size, lettering.DISPLAY) + 300
    silk = art.toned(art.art("common/ribbon"), mix(tint, (255, 255, 255), 0.08))
    tall = round(168 * size / 46)
    sheet = art.cut(silk, round(wide * 46 / size), 168).layer.resize((wide, tall))
    ink = theme.CREAM if sum(tint) < 420 else theme.INK
    _lettered(sheet, text, round(1.72 * size), wide // 2, round(tall * 0.41), ink, lettering.DISPLAY)
    return pixels(sheet.convert("RGBa").rotate(TILT, Image.Resampling.BICUBIC, expand=True).reduce(2).convert("RGBA"))
