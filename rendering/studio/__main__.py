"""`python -m rendering.studio [slug | slug/sprite …]`: paint these sprites, or all, into data/art.

Each game's list, rendering/sprites/<slug>.txt, names its files with their digests; the bot looks at the start whether
they are all there (rendering/core/art.py).
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

from PIL import Image

from rendering.core import art
from rendering.studio import pack

BRUSHES = ("brush", "floors", "pack", "sigils", "vignettes", "__main__")
"""The modules of this room that paint no sprites."""

Painters = Mapping[str, Callable[[], Image.Image]]
"""The name of each sprite, and what paints it: in mode RGBA, or RGB for a stage."""


def painters() -> Iterator[tuple[str, Painters]]:
    """Yield the slug of each module with sprites, and its painters."""
    for module in sorted(module.name for module in iter_modules([str(Path(__file__).parent)])):
        if module not in BRUSHES:
            yield module, import_module(f"rendering.studio.{module}").SPRITES


def paint(slug: str, sprites: Painters, wanted: set[str]) -> None:
    """Paint those sprites of a game, or all if `wanted` has its slug; files of what is no longer painted go."""
    folder = art.FOLDER / slug
    folder.mkdir(parents=True, exist_ok=True)
    files: set[str] = set()
    for name, painter in sprites.items():
        known = [path.name for path in folder.glob(f"{name}.*")]
        if slug in wanted or f"{slug}/{name}" in wanted or not known:
            picture = painter()
            known = [f"{name}.{'webp' if picture.mode == 'RGB' else 'png'}"]
            file = folder / known[0]
            pack.store(picture, file)
            print(f"{slug}/{file.name}: {picture.width} × {picture.height}, {file.stat().st_size:,} bytes")
        files.update(known)
    for path in folder.iterdir():
        if path.name not in files:
            path.unlink()
    art.list_of(slug).parent.mkdir(exist_ok=True)
    art.list_of(slug).write_text("".join(f"{art.digest(folder / name)} {name}\n" for name in sorted(files)), "utf-8")


def main(arguments: list[str]) -> None:
    """Overwrite; `git diff` shows which files changed."""
    for slug, sprites in painters():
        if not arguments or any(argument.split("/")[0] == slug for argument in arguments):
            paint(slug, sprites, set(arguments) or {slug})


if __name__ == "__main__":
    main(sys.argv[1:])
