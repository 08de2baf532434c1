"""Many pictures of one match as a film: each picture is stored as what differs from the one before.

A film is an animated WebP, which Pillow makes of a few pictures at a time. Films are cut into their frames and joined
again without decoding them, so the pictures of a long match can be drawn in short jobs.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator, Sequence
from io import BytesIO
from typing import NamedTuple

from PIL import Image

from rendering.core.theme import INK

TICK = 100
"""Milliseconds of each picture of a film. WebP joins equal pictures to one frame; its time tells how many they were."""


class Quality(NamedTuple):
    """How a film is compressed: the pictures' width in pixels, and WebP's quality."""

    width: int
    quality: int


class Frame(NamedTuple):
    """What one picture changes: a rectangle of pixels, and how it is laid over the picture before."""

    left: int
    top: int
    width: int
    height: int
    replaces: bool
    """Whether it replaces the rectangle; otherwise its transparent pixels leave what was there."""
    cleared: bool
    """Whether the rectangle is cleared before the next frame."""
    data: bytes
    """The chunks of its pixels."""


def film(pictures: Iterable[Image.Image], quality: Quality) -> tuple[bytes, str]:
    """Return pictures in RGB as a film, and their heights in the film's pixels, with spaces between them.

    Lower pictures get a dark band below.
    """
    images = [_scaled(picture, quality.width) for picture in pictures]
    highest = max(image.height for image in images)
    first, *more = [_padded(image, highest) for image in images]
    file = BytesIO()
    how = {"quality": quality.quality, "method": 2, "kmin": 0, "kmax": 0}  # only the first frame is a whole picture
    first.save(file, "WEBP", save_all=True, append_images=more, duration=TICK, **how)
    return file.getvalue(), " ".join(str(image.height) for image in images)


def _scaled(image: Image.Image, width: int) -> Image.Image:
    if image.width == 2 * width and image.height % 2 == 0:
        return image.reduce(2)  # the same pixels as by the line below, and three times as fast
    size = (width, round(image.height * width / image.width))
    return image if size == image.size else image.resize(size, Image.Resampling.BOX, reducing_gap=2.0)


def _padded(image: Image.Image, height: int) -> Image.Image:
    if image.height == height:
        return image
    whole = Image.new("RGB", (image.width, height), INK)
    whole.paste(image)
    return whole


def frames(film: bytes, pictures: int) -> list[Frame | None]:
    """Return the frame of each of a film's pictures; None for one that looks like the picture before."""
    found: list[Frame | None] = []
    for kind, body in _chunks(film[12:]):
        if kind == b"ANMF":
            left, top, width, height, time = (int.from_bytes(body[at : at + 3], "little") for at in range(0, 15, 3))
            replaces, cleared = bool(body[15] & 2), bool(body[15] & 1)
            found.append(Frame(2 * left, 2 * top, width + 1, height + 1, replaces, cleared, body[16:]))
            found += [None] * (time // TICK - 1)
    if not found:  # all its pictures look alike: the file is a still picture
        width, height = Image.open(BytesIO(film)).size
        data = b"".join(_chunk(kind, body) for kind, body in _chunks(film[12:]) if kind != b"VP8X")
        found = [Frame(0, 0, width, height, True, False, data), *[None] * (pictures - 1)]
    assert len(found) == pictures, (len(found), pictures)
    return found


def moving(parts: Sequence[tuple[Frame, int]]) -> bytes:
    """Return frames, each with its time in milliseconds, as an animated WebP that is played once."""
    width = max(frame.left + frame.width for frame, _ in parts)
    height = max(frame.top + frame.height for frame, _ in parts)
    body = [_chunk(b"VP8X", b"\x12\0\0\0" + _size(width, height)), _chunk(b"ANIM", struct.pack("<IH", 0, 1))]
    for frame, time in parts:
        place = (frame.left // 2).to_bytes(3, "little") + (frame.top // 2).to_bytes(3, "little")
        flags = bytes([2 * frame.replaces + frame.cleared])
        head = place + _size(frame.width, frame.height) + time.to_bytes(3, "little") + flags
        body.append(_chunk(b"ANMF", head + frame.data))
    return _file(b"".join(body))


def _size(width: int, height: int) -> bytes:
    return (width - 1).to_bytes(3, "little") + (height - 1).to_bytes(3, "little")


def _chunks(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    at = 0
    while at < len(data):
        kind, size = struct.unpack_from("<4sI", data, at)
        yield kind, data[at + 8 : at + 8 + size]
        at += 8 + size + size % 2


def _chunk(kind: bytes, body: bytes) -> bytes:
    return kind + struct.pack("<I", len(body)) + body + b"\0" * (len(body) % 2)


def _file(body: bytes) -> bytes:
    return b"RIFF" + struct.pack("<I", len(body) + 4) + b"WEBP" + body
