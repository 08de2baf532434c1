"""Painted sprites of which one file is gone, cut short or another: the bot must not start with them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image

from rendering.core import art


def to_folder(path: Path) -> None:
    """Put a folder in a file's place."""
    path.unlink()
    path.mkdir()


HARMS: dict[str, Callable[[Path], object]] = {
    "deleted": Path.unlink,
    "cut short": lambda path: path.write_bytes(path.read_bytes()[:-20]),
    "changed": lambda path: Image.new("RGBA", (9, 9), (0, 0, 0, 255)).save(path),
    "a folder": to_folder,
}
"""What can happen to a file."""


def paint_two(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Let the bot have two sprites alone, in that folder, as `make art` leaves them. Return the file of one."""
    monkeypatch.setattr(art, "FOLDER", folder / "art")
    monkeypatch.setattr(art, "LISTS", folder / "sprites")
    files = [folder / "art" / "nim" / name for name in ("heap.png", "stick.png")]
    files[0].parent.mkdir(parents=True)
    art.LISTS.mkdir()
    for file in files:
        Image.new("RGBA", (9, 9), (200, 80, 40, 255)).save(file)
    art.list_of("nim").write_text("".join(f"{art.digest(file)} {file.name}\n" for file in files), encoding="utf-8")
    return files[1]
