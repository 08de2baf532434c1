"""The pictures of the README: `make pictures` draws them again, with the bot's own renderers and no browser.

docs/<slug>.png is the table of one game in the middle of a match, at one of its great moments if the game has any.
docs/hero.png shows them all. docs/table.png shows what a match looks like for a player: the public table, and beside it
their own cards. tests/test_readme.py fails if one of them is out of date.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from io import BytesIO
from pathlib import Path

from PIL import Image

from rendering import renderer
from rules import GAMES
from rules.core.example import course, example
from tests.goldens.case import labels
from tests.support.published import DOCS, PUBLISHED

TABLE = DOCS / "table.png"
HERO = DOCS / "hero.png"
SHOWN = "full_circle"
"""The game that the README advises to begin with."""
WIDTH, GAP, SEAM = 1200, 24, 8
EDGE = (30, 31, 34)
"""Discord's dark ground, around and between the two pictures."""


def game_picture(slug: str) -> bytes:
    """Return the PNG of a game's public table: the first moment that moves in Discord, or an example of a turn."""
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


ABOVE = 2
"""How many games stand in the upper row of the hero, larger than the others below them."""


def hero_picture() -> bytes:
    """Return the PNG of all games' tables, whole, in two rows as wide as the picture."""
    tables = [Image.open(BytesIO(game_picture(slug))).convert("RGB") for slug in PUBLISHED]
    rows = []
    for row in (tables[:ABOVE], tables[ABOVE:]):
        height = round((WIDTH - (len(row) - 1) * SEAM) / sum(table.width / table.height for table in row))
        rows.append([(table, round(table.width * height / table.height), height) for table in row])
    picture = Image.new("RGB", (WIDTH, sum(row[0][2] for row in rows) + SEAM), EDGE)
    top = 0
    for row in rows:
        left = 0
        for table, width, height in row:
            picture.paste(table.resize((width, height), Image.Resampling.LANCZOS), (left, top))
            left += width + SEAM
        top += row[0][2] + SEAM
    return packed(picture)


def packed(picture: Image.Image) -> bytes:
    file = BytesIO()
    picture.quantize(256, dither=Image.Dither.NONE).save(file, "PNG", optimize=True)
    return file.getvalue()


PICTURES: dict[Path, Callable[[], bytes]] = {
    **{DOCS / f"{slug}.png": partial(game_picture, slug) for slug in PUBLISHED},
    TABLE: table_picture,
    HERO: hero_picture,
}
"""What draws each picture that the README shows."""


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
    for path, draw in PICTURES.items():
        write(path, draw())
