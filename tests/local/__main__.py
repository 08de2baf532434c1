"""`python -m tests.local` takes the picture of the README anew: a table and a hand, as played with `--local`.

Look at docs/table.png before you commit it. Which cards it shows is left to chance; it takes a moment of the third
trick or later in which the player has to follow and may choose.
"""

from __future__ import annotations

import sys
import tempfile
from io import BytesIO
from pathlib import Path

from PIL import Image

from .browser import ROOT, Tab, chromium, find_chromium, local, play

PICTURE = ROOT / "docs" / "table.png"
TABLE_WIDTH, HAND_WIDTH, HEIGHT = 740, 460, 880
TOOLBAR = 44


def main() -> int:
    path = find_chromium()
    if path is None:
        print("No Chromium on PATH.", file=sys.stderr)
        return 1
    with (
        chromium(path) as browser,
        tempfile.TemporaryDirectory() as folder,
        local(Path(folder) / "local.db") as program,
    ):
        table = Tab(browser, program.home, "# games as Ann", TABLE_WIDTH, HEIGHT)
        table.type_command("play", "Sea Change")
        table.press("More …")
        for count in range(3):
            table.press("Add computer")
            table.sees(f"Players: {count + 2} of")
        table.press("Start")
        table.sees("Turn:")
        hand = Tab(browser, program.home, "Ann’s direct messages", HAND_WIDTH, HEIGHT)
        play([hand], lambda: False, most=2)
        play([hand], lambda: "Lead:" in hand.text() and hand.moves().count() > 1)
        shots = [tab.picture() for tab in (table, hand)]
    picture = Image.new("RGB", (TABLE_WIDTH + HAND_WIDTH, HEIGHT - TOOLBAR))
    for shot, left in zip(shots, (0, TABLE_WIDTH), strict=True):
        picture.paste(Image.open(BytesIO(shot)), (left, -TOOLBAR))
    PICTURE.parent.mkdir(exist_ok=True)
    picture.quantize(256, dither=Image.Dither.NONE).save(PICTURE, optimize=True)
    print(f"{PICTURE}: {PICTURE.stat().st_size // 1000} kB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
