"""Pictures that take no time to draw, for harnesses in which a bot lives for seconds: nobody looks at them there.

Equal pictures have equal bytes, and others have others. `python -m tests.process.plain_worker` is a worker that draws
them; tests/process/launch.py has the bot draw them.
"""

from __future__ import annotations

import struct
import sys
import zlib
from hashlib import sha256
from typing import Any

from cogs.workers import jobs, worker
from rendering.core.png import FAST, pack, png

_PNG = png(1, 1, bytes(768), [pack(memoryview(bytes(2)), FAST)])
_END = 12
"""Bytes of the last chunk, IEND."""


def plain_picture(slug: str, how: str, *given: Any) -> bytes:
    """Return a picture of one pixel, with a text that depends on what is to be drawn."""
    body = b"tEXtof\0" + sha256(repr((slug, how, given)).encode()).hexdigest().encode()
    text = struct.pack(">I", len(body) - 4) + body + struct.pack(">I", zlib.crc32(body))
    return _PNG[:-_END] + text + _PNG[-_END:]


if __name__ == "__main__":
    jobs.KINDS["picture"] = plain_picture
    worker.main(sys.argv[1:])
