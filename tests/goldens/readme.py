"""The pictures of the README: `make pictures` draws them again, with the bot's own renderers and no browser.

docs/<slug>.png is the table of one game in the middle of a match. docs/table.png shows what a match looks like for a
player: the public table, and beside it their own cards. tests/test_readme.py fails if one of them is out of date.
"""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

from PIL import Image

from rendering import renderer
from rules import GAMES
from rules.core.example import example
from tests.goldens.case import labels

DOCS = Path(__file__).parents[2] / "docs"
TABLE = DOCS / "table.png"
SHOWN = "full_circle"
"""The game that the README advises to begin with."""
WIDTH, GAP = 1200, 24
EDGE = (30, 31, 34)
"""Discord's dark ground, around and between the two pictures."""


def game_picture(slug: str) -> bytes:
    """Return the PNG of a game's public table."""
    found = example(GAMES[slug], GAMES[slug].deck)
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
    file = BytesIO()
    picture.quantize(256, dither=Image.Dither.NONE).save(file, "PNG", optimize=True)
    return file.getvalue()


def pictures() -> Iterator[tuple[Path, bytes]]:
    """Yield each picture that the README shows, drawn now. A game without docs/<slug>.png is not published yet."""
    for slug in GAMES:
        if (path := DOCS / f"{slug}.png").exists():
            yield path, game_picture(slug)
    yield TABLE, table_picture()


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
