"""What the pictures of all games lay over their stage: seat strips, captions, ribbons, crowns, the marks of last moves.

One sign has one meaning in all games. A strip in brass: it is that seat's turn. A crown: this wins, now or for good.
Two brass corners round a thing: the last move. A ribbon: an event, one at a time. A card that lies lower and paler: it
cannot be played now.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Literal, NamedTuple

from rendering.core import lettering, theme
from rendering.core.canvas import WIDTH, Page
from rendering.core.cards import rotated
from rendering.core.discs import disc, empty, first_words, short_name
from rendering.core.emblems import Emblem, placed
from rendering.core.formatting import drawable_name
from rendering.core.labels import Labels
from rendering.core.sprites import Colour, Pen, Pixels, Sprite, mix, sprite

NIGHT: Colour = (14, 20, 34)
"""The colour of strips and captions, through which the stage shows."""
STRIP_HEIGHT = 104
NARROW = 300
"""A strip less wide has a smaller disc, so that the name has more room."""
NAME = 40
"""The size of the type of a name on a strip."""
RIVAL_HEIGHT, RIVAL_DISC = 84, 66
SOCKET = 34
"""Pixels from one socket of a score to the next."""
SPARE = 6
"""What a figure may take of the round end of a strip, if there is no room for it else."""
RULED = 8
"""Pixels more between a score and a figure with a rule between them."""
TOKEN_GAP, NARROW_TOKEN_GAP = 10, 16
"""What the figures of a strip, and of a narrow one, leave free for the token on its disc."""
TOKEN_OUT, NARROW_TOKEN_OUT = 36, 32
"""Pixels from the middle of a disc to that of a token on it, which leaves the sigil free; those of narrow strips are
smaller.
"""
NARROW_TOKEN = 40
CROWN_FOOT = 54
"""The foot of a crown at the top of a page, so that all of it is on the page."""
CAPTION_HEIGHT, CAPTION_TALL = 112, 130
"""The height of a caption, and of one with room for three lines."""
HEADER_LINE = 46
"""The middle of the line at the top of a table."""
VICTORY, VICTORY_LINE = (54, 42), 36
"""The largest and the smallest type that says who won, and the middle of its line, clear of the crowns on strips."""
LEAST_NAME = 130
"""The least width in which a name that is cut still tells who it is."""
TILT = 6
"""Degrees by which a ribbon is turned."""

COLOURS: tuple[Colour, ...] = (NIGHT,)
"""The colours that a picture with these things has exactly."""


class Stat(NamedTuple):
    """A figure of a strip, behind its sign."""

    sign: Sprite
    figure: str


class Score(NamedTuple):
    """A seat's score: `have` of `most` sockets are filled; or, if there are too many to count at a glance, a figure."""

    have: int
    most: int
    figure: str = ""
    """With its noun: "24 points". If it is not empty, it is written in place of sockets."""


Turn = Literal["", "turn", "won", "out"]


def place_strip(
    page: Page,
    labels: Labels,
    seat: int,
    box: tuple[int, int, int],
    turn: Turn,
    score: Score,
    stats: Sequence[Stat] = (),
    *,
    mirrored: bool = False,
    tokens: Sequence[Sprite] = (),
    beside: int = 0,
    most: int = NAME,
) -> None:
    """Place a seat's strip: its disc, its name, its score, and its figures as far as there is room for them.

    `box`: left, top and width. `mirrored`: the disc is at the right end. `tokens`: laid on the disc, at most two (the
    dealer, the king, the team). `beside`: what a name leaves free at its end, in pixels. `most`: the size of the name's
    type, if there is room for it; if that is larger than usual, for a part of the name.
    """
    x, y, width = box
    lit = turn in ("turn", "won")
    height, radius = STRIP_HEIGHT, STRIP_HEIGHT // 2
    if lit:
        page.shade(x, y, width, height, radius, 10, 150)
        page.place(_brass(width, height), x, y)
    else:
        page.shade(x, y, width, height, radius, 2, 178 if turn != "out" else 110, NIGHT, 0)
    ink = theme.INK if lit else theme.CREAM
    size, gap, edge = (92, 14, 12) if width >= NARROW else (76, 6, 6)
    inset = 6 + size // 2
    middle = x + width - inset if mirrored else x + inset
    page.shade(middle - size // 2, y + radius - size // 2, size, size, size // 2, 5, 120, drop=3)
    page.place(disc(labels, seat, size), middle, y + radius, "mm")
    if turn == "won":
        page.place(crown(64), middle, max(y + 20, CROWN_FOOT), "mb")
    for token, side in zip(tokens, (1, -1), strict=False):
        out = TOKEN_OUT if width >= NARROW else NARROW_TOKEN_OUT
        page.place(token, middle + (-out if mirrored else out) * side, y + height - 22, "mm")
    aside = 6 + size + gap
    left, right = (x + edge, x + width - aside) if mirrored else (x + aside, x + width - edge)
    room = right - left
    kind, name = most, short_name(labels, seat, most, room - beside)
    whole = most > NAME and drawable_name(labels, seat).startswith(name)
    if not whole and name != short_name(labels, seat, theme.SMALL, room - beside):
        kind, name = theme.SMALL, short_name(labels, seat, theme.SMALL, room - beside)
    page.text(right if mirrored else left, y + 34, name, kind, ink, room, "rm" if mirrored else "lm")
    narrow = width < NARROW
    if tokens:  # the token reaches as far as the figures begin
        clear = NARROW_TOKEN_GAP if narrow else TOKEN_GAP
        left, right = (left, right - clear) if mirrored else (left + clear, right)
    _place_figures(page, (left, right), y + 76, score, stats, lit, mirrored, narrow)


def _place_figures(
    page: Page,
    ends: tuple[int, int],
    y: int,
    score: Score,
    stats: Sequence[Stat],
    lit: bool,
    mirrored: bool,
    narrow: bool,
) -> None:
    """Place the score, then the figures as far as there is room; in a narrow strip with a rule between them. They have
    this order also in a mirrored strip, where they end at its disc.
    """
    left, right = ends
    ink = theme.INK if lit else theme.CREAM
    wide = lettering.width(score.figure, theme.SMALL) if score.figure else SOCKET * score.most
    ruled, widths, total = bool(score.figure) and narrow, list[int](), wide
    for stat in stats:
        more = 18 + stat.sign.size[0] + 6 + lettering.width(stat.figure, theme.SMALL)
        more += RULED if ruled and not widths else 0
        if total + more > right - left + SPARE:
            break
        total += more
        widths.append(stat.sign.size[0] + 6 + lettering.width(stat.figure, theme.SMALL))
    shown = stats[: len(widths)]
    at = float(right - total if mirrored else left)
    if score.figure:
        page.text(at, y, score.figure, theme.SMALL, ink, right - left)
    else:
        if lit:
            page.place(_tray(SOCKET * score.most + 4), at - 4, y, "lm")
        for number in range(score.most):
            page.place(socket(30, number < score.have), at + number * SOCKET, y, "lm")
    at += wide + 18
    if ruled and shown:
        at += RULED
        page.place(_rule(lit), at - 13, y, "mm")
    for stat, wide in zip(shown, widths, strict=False):
        page.place(stat.sign, at, y, "lm")
        page.text(at + stat.sign.size[0] + 6, y, stat.figure, theme.SMALL, ink, 120)
        at += wide + 18


def place_rival(page: Page, labels: Labels, seat: int, box: tuple[int, int, int], score: str, *, lit: bool) -> None:
    """Place a seat in little room: its disc, and its score with its noun, "1 VP". `box`: left, top and width."""
    x, y, width = box
    if lit:
        page.place(_brass(width, RIVAL_HEIGHT), x, y)
    else:
        page.shade(x, y, width, RIVAL_HEIGHT, RIVAL_HEIGHT // 2, 2, 178, NIGHT, 0)
    page.place(disc(labels, seat, RIVAL_DISC), x + 5, y + RIVAL_HEIGHT / 2, "lm")
    at = x + RIVAL_DISC + 14
    page.text(at, y + RIVAL_HEIGHT / 2, score, theme.SMALL, theme.INK if lit else theme.CREAM, x + width - at)


def place_caption(
    page: Page, left: int, top: int, width: int, event: str, sentence: str = "", more: str = "",
    height: int = CAPTION_HEIGHT,
) -> None:  # fmt: skip
    """Place what just happened: the event in light brass, and below it a sentence. Without a sentence, an event that is
    too wide takes two lines. `more`: a sentence between the two, if there is room: in the line of the last one or, in a
    caption as high as CAPTION_TALL, in its own.
    """
    page.shade(left, top, width, height, 24, 2, 178, NIGHT, 0)
    middle, room = left + width / 2, width - 28
    size = lettering.fitting(event, 40, theme.SMALL, room)
    colour = theme.CREAM
    if not sentence and lettering.width(event, size) > room:
        (event, sentence), colour = _halves(event, size, room), theme.BRASS_LIGHT
    if more and lettering.width(joined := f"{more} · {sentence}", theme.SMALL) <= room:
        sentence, more = joined, ""
    lines = [event, *filter(None, (more if height >= CAPTION_TALL else "", sentence))]
    apart = 48 if len(lines) < 3 else 41
    first = top + height / 2 - apart * (len(lines) - 1) / 2
    page.text(middle, first, event, size, theme.BRASS_LIGHT, room, "mm")
    for number, line in enumerate(lines[1:], 1):
        page.text(middle, first + apart * number, line, theme.SMALL if colour == theme.CREAM else size, colour, room,
                  "mm")  # fmt: skip


def _halves(text: str, size: int, width: int) -> tuple[str, str]:
    """Return the words that fit into the first line, and the rest."""
    words = text.split()
    at = max((n for n in range(1, len(words)) if lettering.width(" ".join(words[:n]), size) <= width), default=1)
    return " ".join(words[:at]), " ".join(words[at:])


def place_own_turn(page: Page, text: str, size: int, width: int) -> float:
    """Write at the left of the upper line that it is the viewer's turn, on a strip in brass. Return where it ends."""
    left, pad = theme.MARGIN - 12, 22
    wide = min(lettering.width(text, size), width)
    page.place(_brass(wide + 2 * pad, OWN_TURN), left, HEADER_LINE, "lm")
    page.text(left + pad, HEADER_LINE, text, size, theme.INK, width)
    return left + wide + 2 * pad


OWN_TURN = 72
"""The height of the strip that says whose turn it is in a seat's own picture."""


def place_header(page: Page, text: str, right: str, size: int = 44, width: int = 720) -> None:
    """Write the upper line of a table on a shade: how far the match is, at most `width` wide, and at the right what it
    takes to win.
    """
    page.shade(-20, -40, WIDTH + 40, 124, 20, 16, 172, NIGHT, 0)
    page.text(theme.MARGIN + 6, HEADER_LINE, text, size, theme.CREAM, width)
    page.text(WIDTH - theme.MARGIN - 6, HEADER_LINE, right, theme.SMALL, theme.CREAM, 470, "rm")


def victory(labels: Labels, winners: Collection[int], width: int, team: str = "") -> tuple[str, int]:
    """Return who won, "Ann wins!", and the size of its type, so that it is at most `width` wide: with the names in full
    or, if they are too wide, their first words, or names that are cut. `team`: its name, if a team won; a picture says
    it if there is no room for names.
    """
    seats, (most, least) = sorted(winners), VICTORY
    key = "story.one_wins" if len(seats) == 1 else "story.several_win"

    def told(names: Sequence[str]) -> str:
        return labels.say(key, name=labels.list(names))

    if not seats:
        texts = [labels.say("story.nobody")]
    else:
        texts = [told([drawable_name(labels, seat) for seat in seats]), told(first_words(labels, seats))]
        room = (width - lettering.width(told(["i"] * len(seats)), least)) // len(seats)
        if team:
            texts.append(labels.say("story.one_wins", name=team))
        elif room >= LEAST_NAME:
            texts.append(told([short_name(labels, seat, least, room) for seat in seats]))
        else:
            texts.append(labels.say("story.share"))
    text = next((text for text in texts if lettering.width(text, least) <= width), texts[-1])
    return text, lettering.fitting(text, most, least, width)


def place_victory(page: Page, labels: Labels, winners: Collection[int], width: int = 1140, team: str = "") -> None:
    """Write at the left of the upper line who won (see `victory`), in brass, larger than all else that is written."""
    text, size = victory(labels, winners, width, team)
    page.text(theme.MARGIN + 6, VICTORY_LINE, text, size, theme.BRASS_LIGHT, width)


def place_title(page: Page, title: str, tagline: str, y: int) -> None:
    """Write a game's title on its cover, outlined, and its tagline below; y is the middle of the title."""
    for across, down in ((-1, -1), (0, -1.4), (1, -1), (-1.4, 0), (1.4, 0), (-1, 1), (0, 1.8), (1, 1)):
        page.text(WIDTH / 2 + 4 * across, y + 4 * down, title, 124, NIGHT, 1150, "mm", lettering.DISPLAY)
    page.text(WIDTH / 2, y, title, 124, theme.BRASS_LIGHT, 1150, "mm", lettering.DISPLAY)
    width = min(lettering.width(tagline, theme.BODY) + 56, WIDTH - 20)
    page.shade((WIDTH - width) // 2, y + 68, width, 58, 29, 2, 178, NIGHT, 0)
    page.text(WIDTH / 2, y + 97, tagline, theme.BODY, theme.CREAM, width - 30, "mm")


def place_people(page: Page, labels: Labels, seats: int) -> None:
    """Place the discs of those who have joined a lobby at the foot of its cover, and the places that are free."""
    size, step = 84, 96
    if not (count := max(len(labels.names), seats)):
        return
    width, top = step * count + 20, page.height - size - 22
    page.shade((WIDTH - width) // 2, top - 8, width, size + 16, size // 2 + 8, 2, 200, NIGHT, 0)
    for number in range(count):
        x = WIDTH / 2 + (number - (count - 1) / 2) * step
        page.place(disc(labels, number, size) if number < len(labels.names) else empty(size), x, top + size / 2, "mm")


def place_ribbon(page: Page, x: float, y: float, text: str, tint: Colour, size: int = 46) -> None:
    """Place the ribbon of an event, in type of that size; x and y are its middle."""
    page.place(rotated(_ribbon(text, tint, 2 * size), TILT), x, y, "mm")


def place_last(page: Page, x: float, y: float, width: int, height: int, part: float = 0.36) -> None:
    """Place the two brass corners of the last move round a thing; x and y are its upper left corner. `part`: how long
    they are, as a part of its shorter side.
    """
    left, top, long = round(x) - 14, round(y) - 14, round((min(width, height) + 28) * part)
    page.place(_corner(long, lower=False), left, top)
    page.place(_corner(long, lower=True), left + width + 28 - long, top + height + 28 - long)


EDGE = 18
"""The width and the height of the pieces of which the rim of an empty place is made."""


def place_slot(page: Page, x: float, y: float, width: int, height: int, *, turn: bool = False) -> None:
    """Place an empty place for a card; x and y are its upper left corner. `turn`: the next card comes here.

    The rim is laid in pieces: what lies inside it is not drawn again.
    """
    left, top = round(x), round(y)
    for piece, across, down, wide, tall in (
        ("top", 0, 0, width, EDGE),
        ("foot", 0, height - EDGE, width, EDGE),
        ("left", 0, EDGE, EDGE, height - 2 * EDGE),
        ("right", width - EDGE, EDGE, EDGE, height - 2 * EDGE),
    ):
        page.place(_rim(piece, wide, tall, turn), left + across, top + down)


# Sprites


@sprite
def token(emblem: Emblem, size: int, face: Colour = theme.BRASS, ink: Colour = theme.INK) -> Pixels:
    """A token that lies on a disc: the dealer, the first player, the King, a player who drops out."""
    pen = Pen(size, size)
    c = size / 2
    pen.disc(c, c, c, theme.INK)
    pen.disc(c, c, c - 2, face)
    emblem(pen, c, c, size * 0.66, ink, face)
    return pen.pixels()


@sprite
def socket(size: int, filled: bool) -> Pixels:
    """A pearl, or the empty socket for one: bright is scored, dark is missing."""
    pen = Pen(size, size)
    c = size / 2
    pen.disc(c, c, c, theme.INK)
    if not filled:
        pen.disc(c, c, c * 0.86, theme.CREAM)
        pen.disc(c, c, c * 0.68, mix(theme.INK, theme.BRASS_DARK, 0.4))
        return pen.pixels()
    pen.disc(c, c, c * 0.86, theme.BRASS_DARK)
    pen.disc(c, c - size * 0.02, c * 0.8, theme.BRASS)
    pen.disc(c - size * 0.1, c - size * 0.14, c * 0.34, theme.BRASS_LIGHT)
    return pen.pixels()


@sprite
def _tray(width: int) -> Pixels:
    """The dark tray below the pearls on a strip in brass, so that they look as on any other."""
    pen = Pen(width, 38)
    pen.box(0, 0, width, 38, 19, NIGHT)
    return pen.pixels()


@sprite
def _rule(on_brass: bool) -> Pixels:
    """A rule between a score in figures and the next figure: in little room the two would read as one."""
    pen = Pen(5, 38)
    pen.box(1, 0, 4, 38, 1.5, theme.INK if on_brass else theme.CREAM)
    return pen.pixels()


@sprite
def crown(size: int) -> Pixels:
    """A crown: this wins."""
    pen = Pen(size, round(size * 0.84))
    spikes = [(-0.9, 0.62), (-1.0, -0.5), (-0.46, 0.02), (0, -0.86), (0.46, 0.02), (1.0, -0.5), (0.9, 0.62)]
    x, y = size / 2, size * 0.5
    outline = placed(x, y, size * 0.88, spikes)
    pen.line([*outline, outline[0]], theme.INK, size * 0.075)
    pen.polygon(outline, theme.BRASS)
    for left, tip, right, top in ((-0.86, -0.8, -0.5, -0.3), (-0.4, -0.08, 0.02, -0.6), (0.46, 0.66, 0.8, -0.18)):
        pen.polygon(placed(x, y, size * 0.86, [(left, 0.5), (tip, top), (right, 0.5)]), theme.BRASS_LIGHT)
    pen.box(size * 0.07, size * 0.65, size * 0.93, size * 0.81, size * 0.04, theme.BRASS_LIGHT, theme.INK, size * 0.03)
    for px, py in ((-1.0, -0.56), (0, -0.9), (1.0, -0.56)):
        pen.disc(x + px * size * 0.42, y + py * size * 0.43, size * 0.08, theme.INK)
        pen.disc(x + px * size * 0.42, y + py * size * 0.43, size * 0.058, theme.ALARM)
    return pen.pixels()


@sprite
def _rim(piece: str, width: int, height: int, turn: bool) -> Pixels:
    """A piece of the rim of an empty place; of the next one to be filled it is broad and in brass."""
    pen = Pen(width, height)
    left, right = 0 if piece != "right" else -99, width if piece != "left" else width + 99
    top, foot = 0 if piece == "top" else -99, height if piece == "foot" else height + 99
    for inset, colour, thick in ((0, theme.INK, 9), (1.5, theme.BRASS_LIGHT, 6)) if turn else (
        (0, theme.INK, 5), (1, theme.CREAM, 3)
    ):  # fmt: skip
        pen.box(left + inset, top + inset, right - inset, foot - inset, 14 - inset, None, colour, thick)
    return pen.pixels()


@sprite
def _brass(width: int, height: int) -> Pixels:
    """The strip of the seat whose turn it is."""
    pen = Pen(width, height)
    r = height / 2
    pen.box(0, 0, width, height, r, theme.BRASS_DARK)
    pen.box(2, 2, width - 2, height - 5, r - 3, theme.BRASS)
    pen.box(r, 6, width - r, 12, 3, theme.BRASS_LIGHT)
    return pen.pixels()


@sprite
def _ribbon(text: str, tint: Colour, size: int) -> Pixels:
    """A ribbon at twice its size, for `rotated`."""
    grow = size / 92
    wide = lettering.width(text, size) + round(190 * grow)
    pen = Pen(wide, round(150 * grow))
    dark = mix(tint, (0, 0, 0), 0.4)
    edge = 48 * grow
    for flip in (0, 1):
        tail = [(grow * x, grow * y) for x, y in ((0, 34), (90, 34), (90, 150), (0, 150), (44, 92))]
        pen.polygon([(wide - x if flip else x, y) for x, y in tail], dark)
    pen.box(edge, 0, wide - edge, 122 * grow, 4 * grow, tint)
    for y in (8, 106):
        pen.box(edge, y * grow, wide - edge, (y + 6) * grow, 0, theme.BRASS_LIGHT)
    ink = theme.CREAM if sum(tint) < 420 else theme.INK
    pen.text(wide / 2, 61 * grow, text, size * 0.86, ink, lettering.DISPLAY)
    return pen.pixels()


@sprite
def _corner(long: int, lower: bool) -> Pixels:
    """A corner of a frame: the upper left or the lower right one."""
    pen = Pen(long, long)
    thick, radius = 8, 26
    for shrink, colour in ((0, theme.INK), (1.5, theme.BRASS_LIGHT)):
        start, end = (-long, long - shrink) if lower else (shrink, 2 * long)
        pen.box(start, start, end, end, radius, None, colour, thick - 2 * shrink)
    return pen.pixels()
