"""The file of a page: a PNG joined from bands of rows, each compressed by itself."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import NamedTuple

from zlib_ng import zlib_ng as zlib

FAST, SMALL, SMALLEST = 2, 6, 9
"""Levels of compression: the second makes a sixth fewer bytes, and takes three times as long; the third 4 % fewer than
that, and takes ten times as long as the first.
"""
MEMORY = 9
"""zlib's most memory for a stream: it makes as many bytes as with the default, in 0.96 of the time."""


class Band(NamedTuple):
    """Rows of a file as a piece of a deflate stream that stands alone."""

    packed: bytes
    checksum: int
    """Adler-32 of the rows."""
    length: int
    """The number of bytes in the rows."""


def pack(rows: memoryview, level: int) -> Band:
    """Compress rows of the file, filter bytes included, by themselves. The level is FAST, SMALL or SMALLEST."""
    packer = zlib.compressobj(level, zlib.DEFLATED, -15, MEMORY)
    return Band(packer.compress(rows) + packer.flush(zlib.Z_FULL_FLUSH), zlib.adler32(rows), len(rows))


def png(width: int, height: int, colours: bytes, bands: Sequence[Band]) -> bytes:
    """Return the file, in palette colours, 8 bits a pixel: IHDR, PLTE, IDAT and IEND, nothing else."""
    data, low, high = [b"\x78\x5e"], 1, 0
    for packed, checksum, length in bands:
        data.append(packed)
        high = (high + (checksum >> 16) + length * (low - 1)) % 65521
        low = (low + (checksum & 0xFFFF) - 1) % 65521
    data.append(b"\x03\x00" + (high << 16 | low).to_bytes(4, "big"))
    header = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"PLTE", colours), (b"IDAT", b"".join(data)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body)) for kind, body in chunks
    )
