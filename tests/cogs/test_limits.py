"""The checks of every request find what they are for: else a bot that breaks Discord's limits would pass them."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import pytest
from PIL import Image, PngImagePlugin

from tests.support import apicheck

PATH = "/channels/1/messages"
PINGS_NONE = {"allowed_mentions": {"parse": []}, "flags": apicheck.COMPONENTS_V2}


def button(**how: Any) -> dict[str, Any]:
    return {"type": 2, "style": 2, "label": "Join", "custom_id": "1/1/join//", **how}


def row(*parts: dict[str, Any]) -> dict[str, Any]:
    return {"components": [{"type": 1, "components": list(parts)}], **PINGS_NONE}


def select(options: list[dict[str, Any]]) -> dict[str, Any]:
    return row({"type": 3, "custom_id": "1/1/pick//", "options": options})


def option(value: str, **how: Any) -> dict[str, Any]:
    return {"label": value or "-", "value": value, **how}


FAULTY = {
    "components": {"components": [{"type": 10, "content": "x"}] * 41, **PINGS_NONE},
    "characters of text": {"components": [{"type": 10, "content": "x" * 4001}], **PINGS_NONE},
    "custom_id": row(button(custom_id="x" * 101)),
    "custom_id twice": row(button(), button()),
    "button labelled": row(button(label="x" * 81)),
    "a select with": select([option(str(n)) for n in range(26)]),
    "a value twice": select([option("a"), option("a")]),
    "two defaults": select([option("a", default=True), option("b", default=True)]),
    "option text": select([option("a", description="x" * 101)]),
    "without alt text": {
        "components": [{"type": 12, "items": [{"media": {"url": "attachment://a.png"}}]}],
        **PINGS_NONE,
    },
    "parses": {"content": "hello", "allowed_mentions": {"parse": ["everyone", "roles"]}},
    "Discord's default": {"content": "hello"},
}


@pytest.mark.parametrize("fault", FAULTY)
def test_a_fault_is_found(fault: str) -> None:
    assert any(fault in found for found in apicheck.faults("POST", PATH, FAULTY[fault]))


def test_what_is_well_is_well() -> None:
    assert apicheck.faults("POST", PATH, row(button())) == []
    assert apicheck.faults("POST", PATH, select([option("a", default=True), option("b")])) == []
    ping = {"content": "<@2>", "allowed_mentions": {"parse": [], "users": ["2"]}}
    assert apicheck.faults("POST", PATH, ping) == []
    assert apicheck.faults("PATCH", f"{PATH}/3", ping) == ["an edit that may ping"]


@pytest.mark.skipif(apicheck.description() is None, reason="DISCORD_OPENAPI names no description")
def test_discords_own_description_is_asked() -> None:
    assert apicheck.faults("POST", "/channels/1/nonsense", {}) == ["Discord has no POST /channels/1/nonsense"]
    assert apicheck.faults("POST", PATH, row(button(style="blue")))


def test_a_picture_holds_its_picture_and_nothing_else() -> None:
    text = PngImagePlugin.PngInfo()
    text.add_text("hand", "B9")
    plain, telling = BytesIO(), BytesIO()
    Image.new("RGB", (1, 1)).save(plain, "PNG")
    Image.new("RGB", (1, 1)).save(telling, "PNG", pnginfo=text)
    assert apicheck.png_faults("a", plain.getvalue()) == []
    assert apicheck.png_faults("a", telling.getvalue()) == ["a has a chunk b'tEXt'"]
    assert apicheck.png_faults("a", b"GIF89a") == ["a is no PNG"]
