"""An ended match as one HTML file that plays in any browser without a network: pictures, sentences, controls."""

from __future__ import annotations

import asyncio
import base64
import html
import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from string import Template
from typing import Any

from cogs.match.playback import Eyes, Step
from cogs.messages.drawing import Drawing, picture
from cogs.messages.replay_steps import PER_JOB, Look, Named, Scene, scenes, sentences
from rendering import Renderer, renderer
from rendering.core.labels import Labels
from rendering.core.layers import LOSSLESS, Layer, Sheet, read_layered

MOST_BYTES = 9_500_000
"""Less than the ten megabytes that Discord takes without a server's boosts."""
QUALITIES = (LOSSLESS, 60, 30)
"""From the best on: the first one with which the whole fits."""
FOR_ALL = 2
"""How many of these are tried before a page with all hands leaves out the hands."""
MOST_STEPS = 1_500
"""The most steps; of a longer match the page shows the ends of turns, or of every second turn, and so on."""
WORDS = (
    *("first", "back", "next", "last", "turn_back", "turn_next", "round_back", "round_next", "play", "pause", "step"),
    *("slider", "controls", "happened", "nothing", "keys", "eyes", "no_script"),
)
"""The texts of the page, under `replay_file`."""


async def page(
    drawing: Drawing,
    slug: str,
    steps: Sequence[Step],
    eyes: int,
    named: Named,
    title: str,
    about: str,
    code: str,
    most: int = MOST_BYTES,
) -> bytes:
    """Return the page, of at most `most` bytes. `title` and `about` are plain text; `code` is the language's.

    A page with all hands has the table and each hand, between which the reader chooses. If that is too large, it has
    the table alone, and says so.
    """
    labels = named(steps[-1])
    viewers = (Eyes.ONLOOKER, *range(len(labels.names))) if eyes == Eyes.ALL_HANDS else (eyes,)
    for every, chosen, quality in _plans(viewers):
        shown = await asyncio.to_thread(scenes, slug, steps, named, every)
        if len(shown) > MOST_STEPS:
            continue
        notes = [labels.say("replay_file.thinned")] if every else []
        notes += [labels.say("replay_file.table_only")] if chosen != viewers else []
        data: dict[str, Any] = {
            "title": title,
            "about": about,
            "notes": notes,
            "words": {key: labels.texts[f"replay_file.{key}"] for key in WORDS},  # the page fills in the numbers
            "turns": [at for at, scene in enumerate(shown) if scene.turn],
            "rounds": [at for at, scene in enumerate(shown) if scene.round],
            "viewers": [await asyncio.to_thread(seen_by, slug, shown, viewer, labels) for viewer in chosen],
        }
        looks = [(scene.step.view(viewer), scene.labels.only_drawn) for viewer in chosen for scene in shown]
        found = await sheets(drawing, slug, looks, quality, most * 3 // 4)
        if found is not None:
            made = await asyncio.to_thread(_drawn, data, code, *found)
            if len(made) <= most:
                return made
    raise AssertionError("a page of two steps is too large")


def _plans(viewers: tuple[int, ...]) -> Iterator[tuple[int, tuple[int, ...], int]]:
    """Yield from the best on what a page may show: which steps (see `scenes`), whose pictures, and how good ones."""
    for quality in QUALITIES[:FOR_ALL] if len(viewers) > 1 else ():
        yield 0, viewers, quality
    for every in range(MOST_STEPS):
        for quality in QUALITIES:
            yield every, viewers if len(viewers) == 1 else (Eyes.ONLOOKER,), quality


def seen_by(slug: str, shown: Sequence[Scene], viewer: int, labels: Labels) -> dict[str, Any]:
    """Return what one viewer reads: for each step what happened, and the text for its picture."""
    drawn = renderer(slug)
    return {
        "name": labels.say("replay_file.table") if viewer < 0 else labels.name(viewer),
        "lines": [sentences(slug, scene.events, viewer, scene.labels) for scene in shown],
        "alts": [drawn.describe(scene.step.view(viewer), scene.labels) for scene in shown],
        "pages": [],
    }


async def sheets(
    drawing: Drawing, slug: str, looks: Sequence[Look], quality: int, room: int
) -> tuple[list[Sheet], dict[str, bytes]] | None:
    """Return the pages of these positions as what lies on them, and each layer's picture by name; None if the pictures
    need more than `room` bytes. `quality`: see rendering/core/layers.py.
    """
    found: list[Sheet] = []
    files = dict[str, bytes]()
    while (at := len(found)) < len(looks):
        new = tuple(looks[at : at + PER_JOB])
        result = await drawing.done(picture(slug, Renderer.draw_layers, new, frozenset(files), quality))
        assert isinstance(result, tuple)
        more, pictures = read_layered(*result)
        found += more
        files |= pictures
        if sum(map(len, files.values())) > room:
            return None
    return found, files


def _drawn(data: dict[str, Any], code: str, sheets: Sequence[Sheet], files: Mapping[str, bytes]) -> bytes:
    """Return the file with the pages of all viewers, one viewer after the other.

    `files` has the pictures, `layers` the number of a picture with its left and upper edge. A page is its height, and
    what lies on it: the numbers of layers, and runs of the page before, each with its begin and its end.
    """
    numbers, layers = {name: number for number, name in enumerate(files)}, dict[Layer, int]()
    pages = [(sheet.height, [layers.setdefault(layer, len(layers)) for layer in sheet.layers]) for sheet in sheets]
    count = len(data["viewers"][0]["lines"])
    for number, viewer in enumerate(data["viewers"]):
        before: list[int] = []
        for height, page in pages[number * count : (number + 1) * count]:
            viewer["pages"].append([height, *_changes(before, page)])
            before = page
    data["files"] = [base64.b64encode(file).decode() for file in files.values()]
    data["layers"] = [[numbers[layer.name], layer.left, layer.top] for layer in layers]
    return _made(data, code)


def _changes(before: Sequence[int], page: Sequence[int]) -> list[int | list[int]]:
    """Return a page as numbers and runs of the page before."""
    places = {layer: at for at, layer in enumerate(before)}
    found: list[int | list[int]] = []
    for layer in page:
        at, run = places.get(layer), found[-1] if found else None
        if at is None:
            found.append(layer)
        elif isinstance(run, list) and run[1] == at:
            run[1] += 1
        else:
            found.append([at, at + 1])
    return found


def _made(data: dict[str, Any], code: str) -> bytes:
    template, script, style = _template()
    # In a script element "<" could begin its end tag or a comment; JSON may write any character as its number.
    written = json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    found = template.substitute(
        code=html.escape(code),
        title=html.escape(data["title"]),
        no_script=html.escape(data["words"]["no_script"]),
        policy=f"default-src 'none'; img-src data:; script-src '{_hash(script)}'; style-src '{_hash(style)}'; "
        "base-uri 'none'; form-action 'none'",
        style=style,
        script=script,
        data=written,
    )
    return found.encode()


@cache
def _template() -> tuple[Template, str, str]:
    """Return the page without its script and style, and these two."""
    folder = Path(__file__).parent
    files = [folder / f"replay_page.{kind}" for kind in ("html", "js", "css")]
    text, script, style = (file.read_text(encoding="utf-8") for file in files)
    return Template(text), f"\n{script}", f"\n{style}"


def _hash(text: str) -> str:
    return f"sha256-{base64.b64encode(sha256(text.encode()).digest()).decode()}"
