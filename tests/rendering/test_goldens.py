"""Pictures look as they did when somebody last looked at them, and are files of the kind that they should be."""

from __future__ import annotations

import struct
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image, ImageChops

from rendering import renderer
from rendering.core.canvas import MOST_FILE_BYTES, MOST_HAND_BYTES, Page
from rules import GAMES
from tests.goldens.case import Case
from tests.goldens.compare import digest, digests
from tests.goldens.views import CASES
from tests.rendering.play import game, labels

GOLDENS = Path(__file__).parent.parent / "goldens"
OUTPUT = Path(__file__).parent.parent / "output"

DIGESTS = {name: found for slug in GAMES for name, found in digests(slug).items()}


def chunks(png: bytes) -> list[bytes]:
    """The types of a PNG's chunks, in order."""
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    found, at = [], 8
    while at < len(png):
        (length,) = struct.unpack(">I", png[at : at + 4])
        found.append(png[at + 4 : at + 8])
        at += 12 + length
    return found


def test_looks_like_its_golden_picture(case: Case, page: Page) -> None:
    png = page.png()
    assert set(chunks(png)) == {b"IHDR", b"PLTE", b"IDAT", b"IEND"}
    assert len(png) <= (MOST_HAND_BYTES if case.name.startswith(("hand", "own")) else MOST_FILE_BYTES)
    drawn = Image.open(BytesIO(png)).convert("RGB")
    assert drawn.width == 1200
    if digest(drawn) == DIGESTS.get(case.file):
        return
    OUTPUT.mkdir(exist_ok=True)
    whole = OUTPUT / f"{Path(case.file).stem}.png"
    whole.write_bytes(png)
    golden = Image.open(GOLDENS / case.file).convert("RGB").resize(drawn.size)
    apart = whole.with_stem(f"{whole.stem}_difference")
    ImageChops.difference(drawn, golden).point([min(255, 4 * value) for value in range(256)] * 3).save(apart)
    pytest.fail(f"{case.file} looks different: see {whole} and {apart}; if it should, run `python -m tests.goldens`")


def test_every_golden_picture_has_a_case() -> None:
    assert {path.name for path in GOLDENS.glob("*.webp")} == set(DIGESTS) == {case.file for case in CASES}


def test_every_game_has_golden_pictures() -> None:
    assert {case.slug for case in CASES} == set(GAMES)


@pytest.mark.parametrize("case", [next(case for case in CASES if case.slug == slug) for slug in GAMES], ids=GAMES)
def test_the_same_view_gives_the_same_bytes(case: Case) -> None:
    assert case.page().png() == case.page().png()


def test_a_full_table_keeps_the_limit() -> None:
    """The fullest that there is: eight players in teams with long names and their points in sight."""
    states, _ = game("sea_change", 8, "sizes", ("teams", "2v2v2v2"), ("open_scores", True))
    found = labels("sea_change", 8, ("Maximilian of the Deep", "Hans-Jürgen von Hohenberg"))
    sizes = [len(renderer("sea_change").draw(state.view(None), found)) for state in states[::20]]
    assert max(sizes) <= MOST_FILE_BYTES
