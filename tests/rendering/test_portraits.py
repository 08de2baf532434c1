"""Avatars in discs: of what Discord may send, only a picture of the expected size becomes a face."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from io import BytesIO
from random import Random

import pytest
from PIL import Image

from rendering.core import discs, portraits
from rendering.core.discs import COLOURS, disc
from rendering.core.portraits import SIDE, face_of
from rules import GAMES
from tests.goldens.case import labels as golden_labels
from tests.rendering.play import drawn, game, labels
from tests.support.colours import contrast


def file(form: str, size: tuple[int, int] = (128, 128), **how: object) -> bytes:
    """A picture file with a light disc on a dark ground."""
    image = Image.new("RGB", size, (30, 60, 90))
    image.paste((220, 200, 180), (size[0] // 4, size[1] // 4, size[0] * 3 // 4, size[1] * 3 // 4))
    made = BytesIO()
    image.save(made, form, **how)  # type: ignore[arg-type]
    return made.getvalue()


@pytest.mark.parametrize("form", ["PNG", "JPEG", "WEBP", "GIF"])
def test_an_avatar_becomes_a_face(form: str) -> None:
    face = face_of(file(form))
    assert face is not None and len(face) == SIDE * SIDE
    assert face[SIDE * SIDE // 2 + SIDE // 2] > face[0], "light in the middle"


def test_of_one_that_moves_the_first_frame_is_taken() -> None:
    frames = [Image.new("L", (64, 64), 0) for _ in range(3)]
    frames[0].paste(255, (0, 0, 32, 64))
    made = BytesIO()
    frames[0].save(made, "GIF", save_all=True, append_images=frames[1:], duration=50)
    face = face_of(made.getvalue())
    assert face is not None and face[0] > 200 and face[SIDE - 1] < 50


def test_what_can_be_seen_through_becomes_grey() -> None:
    made = BytesIO()
    Image.new("RGBA", (128, 128), (255, 0, 0, 0)).save(made, "PNG")
    face = face_of(made.getvalue())
    assert face is not None and len(set(face)) == 1


def bomb(side: int) -> bytes:
    """A small file of a picture with that many black pixels on each side."""
    made = BytesIO()
    Image.new("1", (side, side)).save(made, "PNG", compress_level=1)
    return made.getvalue()


BAD: dict[str, Callable[[], bytes]] = {
    "empty": lambda: b"",
    "text": lambda: b"<html>Not found</html>",
    "cut off": lambda: file("PNG")[:90],
    "noise": lambda: Random(5).randbytes(4_000),
    "huge": lambda: file("PNG", (4_000, 30)),
    "a bomb": lambda: bomb(20_000),
    "another format": lambda: file("BMP"),
    "too many bytes": lambda: file("PNG") + bytes(portraits.MOST_BYTES),
}


@pytest.mark.parametrize("kind", BAD)
def test_what_is_no_avatar_becomes_no_face(kind: str) -> None:
    assert face_of(BAD[kind]()) is None


def test_a_face_has_the_tones_of_its_seat() -> None:
    face = face_of(file("PNG"))
    assert face is not None
    shown = replace(labels("sea_change", 8), faces=(face,) * 8)
    looks = set()
    for seat, colour in enumerate(COLOURS):
        sprite = disc(shown, seat, 92)
        assert sprite.size == (92, 92)
        assert sprite.image.getpixel((6, 46)) == colour, "its ring"
        light, dark = sprite.image.getpixel((46, 46)), sprite.image.getpixel((46, 16))
        assert isinstance(light, tuple) and isinstance(dark, tuple)
        assert contrast(light[:3], dark[:3]) > 2  # type: ignore[arg-type]
        looks.add(sprite.image.tobytes())
    assert len(looks) == 8


@pytest.mark.parametrize("slug", GAMES)
def test_a_face_is_in_every_picture_of_its_player(slug: str) -> None:
    face = face_of(file("PNG"))
    assert face is not None
    seats = max(GAMES[slug].seats)
    states, _ = game(slug, seats, "faces")
    view, bare = states[len(states) // 2].view(None), labels(slug, seats)
    shown = replace(bare, faces=(face,) + (b"",) * (seats - 1))
    has_discs = any(
        stroke.what is disc(drawn(slug).coloured(bare), 0, 92) for stroke in drawn(slug).paint(view, bare).strokes
    )
    if has_discs:
        assert drawn(slug).draw(view, shown) != drawn(slug).draw(view, bare)
    assert drawn(slug).describe(view, shown) == drawn(slug).describe(view, bare)


def test_golden_pictures_show_no_avatars() -> None:
    assert all(not golden_labels(slug, 2).faces for slug in GAMES)


@pytest.mark.parametrize(
    "letters",
    ["\u0639\u0639", "\u0639", "G\u0122", "\u021a\u0162", "Q", "QJ", "\u0e0d\u0e10", "\u0939\u0939", "\u0429"],
)
@pytest.mark.parametrize("size", [40, 130])
def test_letters_do_not_touch_the_sign(letters: str, size: int) -> None:
    for sign in range(8):
        with_deep, with_flat = (discs.lettered(COLOURS[6], sign, shown, size).pixels[0] for shown in (letters, "H"))
        sign_alone = (0, round(size * 0.66), size, size)
        assert with_deep.crop(sign_alone).tobytes() == with_flat.crop(sign_alone).tobytes()


def test_initials_stand_in_the_order_of_their_script() -> None:
    named = labels("sea_change", 2, ("Ann Lee", "\u05d0\u05d1 \u05d2\u05d3"))
    assert [discs.initials(named, seat) for seat in (0, 1)] == ["AL", "\u05d2\u05d0"]


@pytest.mark.parametrize("name", ["(Ann)", "_ann_", "|Ann|", "\u00b7Ann", "\u300cAnn\u300d"])
def test_a_name_in_brackets_has_initials(name: str) -> None:
    assert discs.initials(labels("sea_change", 2, (name, "Ben")), 0) == "A"
