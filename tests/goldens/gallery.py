"""One page with every golden picture as people see it: large, on a desktop, on phones, and with other eyes.

`python -m tests.goldens.gallery [slug …]` writes tests/output/gallery/index.html: each picture at 1,200 pixels, fitted
into a desktop client's 550 x 350, at 400 and at 336 pixels, as three kinds of colour-blind people see it, in grey, and
on Discord's dark and light ground.
"""

from __future__ import annotations

import html
import sys
from collections.abc import Sequence
from pathlib import Path

from PIL import Image

from rules import GAMES
from tests.goldens.case import Case
from tests.goldens.views import CASES
from tests.support.colours import SIGHTS, Colour, seen_as

FOLDER = Path(__file__).parent
GALLERY = FOLDER.parent / "output" / "gallery"
DESKTOP = (550, 350)
PHONES = (400, 336)
GROUNDS = {"dark": "#313338", "light": "#ffffff"}


def main(slugs: Sequence[str]) -> None:
    """Write the page of these games, or of all, and say where it is."""
    GALLERY.mkdir(parents=True, exist_ok=True)
    parts = [section(case) for case in CASES if not slugs or case.slug in slugs]
    page = GALLERY / "index.html"
    page.write_text(
        f"<!doctype html><meta charset=utf-8><title>Gallery</title>{STYLE}{''.join(parts)}", encoding="utf-8"
    )
    print(f"{len(parts)} pictures: {page}")


STYLE = (
    "<style>body{font:16px sans-serif;background:#888;margin:24px}figure{display:inline-block;margin:8px;padding:8px}"
    "img{display:block;border-radius:8px}figcaption{background:#fff;padding:2px 6px}</style>"
)


def section(case: Case) -> str:
    """Draw one picture, and return it in all its looks, as HTML."""
    source = GALLERY / f"{Path(case.file).stem}.png"
    source.write_bytes(case.page().png())
    image = Image.open(source)
    wide = min(DESKTOP[0], round(image.width * DESKTOP[1] / image.height))
    shown = [figure(source, image.width, "whole", "dark"), figure(source, wide, f"desktop, {wide} wide", "dark")]
    shown += [figure(source, width, f"phone, {width} wide", ground) for width in PHONES for ground in GROUNDS]
    for sight in (*(name for name in SIGHTS if name != "full"), "grey"):
        changed = GALLERY / f"{source.stem}_{sight}.png"
        recoloured(image, sight).save(changed)
        shown.append(figure(changed, PHONES[0], sight, "dark"))
    return f"<h2>{html.escape(source.stem)}</h2>{''.join(shown)}"


def figure(path: Path, width: int, words: str, ground: str) -> str:
    """Return a picture at that width on a ground, with a caption, as HTML."""
    link = html.escape(path.resolve().as_uri())
    return (
        f"<figure style='background:{GROUNDS[ground]}'><img src='{link}' width={width}>"
        f"<figcaption>{html.escape(words)}</figcaption></figure>"
    )


def recoloured(image: Image.Image, sight: str) -> Image.Image:
    """Return a picture of a palette as that sight sees it, or in grey."""
    flat = image.getpalette() or []
    colours: list[Colour] = [(flat[at], flat[at + 1], flat[at + 2]) for at in range(0, len(flat), 3)]
    if sight == "grey":
        seen = [(level, level, level) for level in (round(0.3 * r + 0.59 * g + 0.11 * b) for r, g, b in colours)]
    else:
        seen = [seen_as(colour, sight) for colour in colours]
    changed = image.copy()
    changed.putpalette([part for colour in seen for part in colour])
    return changed


if __name__ == "__main__":
    main([slug for slug in sys.argv[1:] if slug in GAMES])
