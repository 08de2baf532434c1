"""Pages told as layers are the pages that were drawn, and need each picture once."""

from __future__ import annotations

from io import BytesIO

import pytest
from PIL import Image

from rendering.core import layers
from rendering.core.layers import LOSSLESS, Sheet, read_layered
from rules import GAMES
from tests.rendering.play import drawn, game, labels


def laid(sheet: Sheet, files: dict[str, bytes]) -> Image.Image:
    """The page that a reader of the layers sees."""
    images = [Image.open(BytesIO(files[layer.name])) for layer in sheet.layers]
    whole = Image.new("RGB", (images[0].width, sheet.height))
    for image, layer in zip(images, sheet.layers, strict=True):
        whole.paste(image.convert("RGB"), (layer.left, layer.top), image if image.mode == "RGBA" else None)
    return whole


@pytest.mark.games("slug", short=["full_sun"], long=GAMES)
def test_every_pixel_of_a_page_comes_back(slug: str) -> None:
    seats = min(GAMES[slug].seats)
    named, (states, _) = labels(slug, seats), game(slug, seats, "layers")
    views = [states[at].view(None) for at in (len(states) // 2, -1)]
    sheets, files = read_layered(*drawn(slug).draw_layers([(view, named) for view in views], (), LOSSLESS))
    for view, sheet in zip(views, sheets, strict=True):
        assert laid(sheet, files).tobytes() == drawn(slug).paint(view, named).image.tobytes()


def test_known_pictures_are_left_out() -> None:
    states, _ = game("full_sun", 3, "layers")
    shown = [(state.view(None), labels("full_sun", 3)) for state in states[:4]]
    _, first = read_layered(*drawn("full_sun").draw_layers(shown[:2], (), LOSSLESS))
    sheets, others = read_layered(*drawn("full_sun").draw_layers(shown[2:], first, LOSSLESS))
    named = {layer.name for sheet in sheets for layer in sheet.layers}
    assert first.keys().isdisjoint(others)
    assert named <= first.keys() | others.keys()
    assert named & first.keys()


def test_a_picture_is_encoded_once_for_all_matches(monkeypatch: pytest.MonkeyPatch) -> None:
    states, _ = game("full_sun", 3, "layers")
    shown = [(states[0].view(None), labels("full_sun", 3))]
    first = drawn("full_sun").draw_layers(shown, (), LOSSLESS)
    monkeypatch.setattr(layers, "_encoded", pytest.fail)
    assert drawn("full_sun").draw_layers(shown, (), LOSSLESS) == first


def test_worse_pictures_are_smaller() -> None:
    states, _ = game("sea_change", 2, "layers")
    shown = [(states[3].view(None), labels("sea_change", 2))]
    sizes = [len(drawn("sea_change").draw_layers(shown, (), quality)[0]) for quality in (LOSSLESS, 60, 30)]
    assert sizes == sorted(sizes, reverse=True)
