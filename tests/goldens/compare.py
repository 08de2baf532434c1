"""Whether a drawn picture looks like a stored one: a golden by its digest, a picture of the README by its pixels."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

from PIL import Image, ImageChops, ImageStat

FOLDER = Path(__file__).parent
"""It has a file of each game with the digest of each golden's pixels. The WebP beside it is for eyes alone."""
WIDTH, QUALITY = 400, 60
"""The width of that WebP in pixels, and WebP's quality."""

MOST_ALIKE = 1.0
"""Mean difference of a channel that another version of FreeType or zlib may make; a moved sign makes far more."""
MOST_LOCAL = 12.0
"""The same within a tile of 60 by 60 pixels: a changed number shows there."""


def difference(drawn: Image.Image, stored: Image.Image) -> Image.Image | None:
    """Return where the pictures differ; None if they look alike. Pictures of other sizes differ everywhere."""
    if drawn.size != stored.size:
        return drawn
    found = ImageChops.difference(drawn, stored)
    mean = sum(ImageStat.Stat(found).mean) / 3
    return None if mean <= MOST_ALIKE and worst_tile(found) <= MOST_LOCAL else found


def worst_tile(found: Image.Image) -> float:
    """Return the largest mean of a tile of 60 by 60 pixels."""
    tiles = found.convert("L").resize((found.width // 60, found.height // 60), Image.Resampling.BOX)
    return max(tiles.tobytes())


def digest(drawn: Image.Image) -> str:
    """Return a digest of the picture's size and pixels."""
    return sha256(f"{drawn.size}".encode() + drawn.convert("RGB").tobytes()).hexdigest()[:32]


def digests(slug: str) -> dict[str, str]:
    """Return the digests of a game's goldens, by the name of their file."""
    path = FOLDER / f"{slug}.txt"
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return {name: found for found, name in (line.split() for line in lines)}


def keep(slug: str, known: dict[str, str]) -> None:
    """Store the digests of a game's goldens."""
    lines = [f"{known[name]} {name}\n" for name in sorted(known)]
    (FOLDER / f"{slug}.txt").write_text("".join(lines), encoding="utf-8")


def for_eyes(drawn: Image.Image, path: Path) -> None:
    """Store a golden as a small WebP."""
    small = drawn.convert("RGB")
    small.thumbnail((WIDTH, WIDTH * small.height), Image.Resampling.LANCZOS)
    small.save(path, "WEBP", quality=QUALITY, method=6)
