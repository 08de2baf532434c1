"""The pictures of the README: `make pictures` draws them again, with the bot's own renderers and no browser.

docs/<slug>.png is the table of one game in the middle of a match, at one of its great moments if it has some.
docs/hero.png has a part of each. docs/table.png shows what a match looks like for a
player: the public table, and beside it their own cards. tests/test_readme.py fails if one of them is out of date.
"""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

from PIL import Image, ImageDraw

from rendering import renderer
from rules import GAMES
from rules.core.example import course, example
from tests.goldens.case import labels
from tests.support.published import DOCS, PUBLISHED

TABLE = DOCS / "table.png"
HERO = DOCS / "hero.png"
SHOWN = "full_circle"
"""The game that the README advises to begin with."""
WIDTH, GAP = 1200, 24
EDGE = (30, 31, 34)
"""Discord's dark ground, around and between the two pictures."""


def game_picture(slug: str) -> bytes:
    """Return the PNG of a game's public table: the first moment that moves in Discord, else an example of a turn."""
    drawn, deck = renderer(slug), GAMES[slug].deck
    moments = (one for one in course(GAMES[slug], deck) if drawn.moment(one.state.view(None), one.events))
    found = next(moments, None) or example(GAMES[slug], deck)
    return renderer(slug).draw(found.state.view(None), labels(slug, found.seats))


def table_picture() -> bytes:
    """Return the PNG of a public table beside the cards of the player whose turn it is, both at the same height."""
    found = example(GAMES[SHOWN], GAMES[SHOWN].deck)
    names = labels(SHOWN, found.seats)
    seat = min(found.state.to_move())
    sides = [
        Image.open(BytesIO(renderer(SHOWN).draw(found.state.view(viewer), names))).convert("RGB")
        for viewer in (None, seat)
    ]
    height = round((WIDTH - 3 * GAP) / sum(side.width / side.height for side in sides))
    picture = Image.new("RGB", (WIDTH, height + 2 * GAP), EDGE)
    left = GAP
    for side in sides:
        scaled = side.resize((round(side.width * height / side.height), height), Image.Resampling.LANCZOS)
        picture.paste(scaled, (left, GAP))
        left += scaled.width + GAP
    return packed(picture)


HERO_AT = {"full_circle": 0.3, "full_sun": 0.66, "sea_change": 0.6, "siege_of_sunfall": 0.24}
"""By game: what stands in the middle of its slice, as a part of the table's width, if not its middle."""
HERO_SCALE, HERO_TOP = 0.66, 56
"""The size of the tables in the hero, and the pixels of each that lie above it."""
HERO_HEIGHT, SLANT, SEAM = 480, 90, 8
"""How far each slice of the hero leans, and the pixels between two."""


def hero_picture() -> bytes:
    """Return the PNG of slices of all games' tables, side by side and slanted."""
    slugs = PUBLISHED
    wide = (WIDTH + SLANT) / len(slugs)
    picture = Image.new("RGB", (WIDTH, HERO_HEIGHT), EDGE)
    for place, slug in enumerate(slugs):
        table = Image.open(BytesIO(game_picture(slug))).convert("RGB")
        size = round(table.width * HERO_SCALE), round(table.height * HERO_SCALE)
        table = table.resize(size, Image.Resampling.LANCZOS)
        middle = round(place * wide + (wide - SLANT) / 2)
        slice_ = Image.new("RGB", picture.size, EDGE)
        slice_.paste(table, (middle - round(table.width * HERO_AT.get(slug, 0.5)), -HERO_TOP))
        mask = Image.new("L", (WIDTH * 2, HERO_HEIGHT * 2))
        a, b = place * wide + SEAM / 2, (place + 1) * wide - SEAM / 2
        edge = [(a, 0), (b, 0), (b - SLANT, HERO_HEIGHT), (a - SLANT, HERO_HEIGHT)]
        ImageDraw.Draw(mask).polygon([(2 * x, 2 * y) for x, y in edge], 255)
        picture.paste(slice_, (0, 0), mask.resize(picture.size, Image.Resampling.LANCZOS))
    return packed(picture)


def packed(picture: Image.Image) -> bytes:
    """Return the picture as a PNG of 256 colours."""
    file = BytesIO()
    picture.quantize(256, dither=Image.Dither.NONE).save(file, "PNG", optimize=True)
    return file.getvalue()


def pictures() -> Iterator[tuple[Path, bytes]]:
    """Yield each picture that the README shows, drawn now."""
    for slug in PUBLISHED:
        yield DOCS / f"{slug}.png", game_picture(slug)
    yield TABLE, table_picture()
    yield HERO, hero_picture()


def write(path: Path, png: bytes) -> None:
    """Store the picture if its pixels changed: another version of zlib makes other bytes of the same pixels."""
    with Image.open(BytesIO(png)) as new:
        if path.exists():
            with Image.open(path) as old:
                if old.size == new.size and old.convert("RGB").tobytes() == new.convert("RGB").tobytes():
                    return
    path.write_bytes(png)
    print(f"{path.name}: {len(png):,} bytes")


if __name__ == "__main__":
    for path, png in pictures():
        write(path, png)
