"""An ended match as one HTML file that plays in any browser without a network: pictures, sentences, controls."""

from __future__ import annotations

import base64
import html
import json
from collections.abc import Iterator, Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from string import Template
from typing import Any

from cogs.match.playback import Eyes, Step
from cogs.messages.drawing import Drawing
from cogs.messages.films import Shot, shots
from cogs.messages.replay_steps import Named, Scene, scenes, sentences
from rendering import renderer
from rendering.core.film import LOSSLESS, Quality, still
from rendering.core.labels import Labels

MOST_BYTES = 9_500_000
"""Less than the ten megabytes that Discord takes without a server's boosts."""
QUALITIES = (Quality(1200, LOSSLESS), Quality(800, 50), Quality(600, 30), Quality(480, 20))
"""From the best on: the first one with which the whole fits."""
WHOLE_AFTER = 32
"""Every 32nd picture is whole: a jump decodes no more than that many."""
REST_OF_PICTURE = 80
"""Bytes of a picture beside its pixels."""
FOR_ALL = 3
"""How many of these are tried before a page with all hands leaves out the hands."""
MOST_STEPS = 1_500
"""The most steps; of a longer match the page shows the ends of turns, or of every second turn, and so on."""
WORDS = (
    *("first", "back", "next", "last", "turn_back", "turn_next", "round_back", "round_next", "play", "pause", "step"),
    *("slider", "controls", "happened", "nothing", "keys", "eyes", "no_script"),
)
"""The texts of the page, under `replay_file`."""


async def page(
    drawing: Drawing, slug: str, steps: Sequence[Step], eyes: int, named: Named, title: str, about: str, code: str
) -> bytes:
    """Return the page. `title` and `about` are plain text; `code` is the language's.

    A page with all hands has the table and each hand, between which the reader chooses. If that is too large, it has
    the table alone, and says so.
    """
    labels = named(steps[-1])
    viewers = (Eyes.ONLOOKER, *range(len(labels.names))) if eyes == Eyes.ALL_HANDS else (eyes,)
    for every, chosen, quality in _plans(viewers):
        shown = scenes(slug, steps, named, every)
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
            "viewers": [_viewer(slug, shown, viewer, labels) for viewer in chosen],
        }
        room = (MOST_BYTES - len(_made(data, code))) * 3 // 4 - REST_OF_PICTURE * len(shown) * len(chosen)
        wholes = [at + len(shown) * number for number in range(len(chosen)) for at in range(0, len(shown), WHOLE_AFTER)]
        looks = [(scene.step.view(viewer), scene.labels.only_drawn) for viewer in chosen for scene in shown]
        found = await shots(drawing, slug, looks, quality, room, wholes=wholes)
        if found is not None:
            for number, viewer in enumerate(data["viewers"]):
                viewer["pictures"] = [_picture(s) for s in found[number * len(shown) : (number + 1) * len(shown)]]
            return _made(data, code)
    raise AssertionError("a page of two steps is too large")


def _plans(viewers: tuple[int, ...]) -> Iterator[tuple[int, tuple[int, ...], Quality]]:
    """Yield from the best on what a page may show: which steps (see `scenes`), whose pictures, and how good ones."""
    for quality in QUALITIES[:FOR_ALL] if len(viewers) > 1 else ():
        yield 0, viewers, quality
    for every in range(MOST_STEPS):
        for quality in QUALITIES:
            yield every, viewers if len(viewers) == 1 else (Eyes.ONLOOKER,), quality


def _viewer(slug: str, shown: Sequence[Scene], viewer: int, labels: Labels) -> dict[str, Any]:
    """Return what one viewer reads: for each step what happened, and the text for its picture."""
    drawn = renderer(slug)
    return {
        "name": labels.say("replay_file.table") if viewer < 0 else labels.name(viewer),
        "lines": [sentences(slug, scene.events, viewer, scene.labels) for scene in shown],
        "alts": [drawn.describe(scene.step.view(viewer), scene.labels) for scene in shown],
        "pictures": [],
    }


def _picture(shot: Shot) -> list[object]:
    """Return a picture as the page's script reads it: height, whether it is whole, and its frame if it has one: left,
    top, width, height, whether it replaces what was there, whether it is cleared before the next one, its file.
    """
    frame = shot.frame
    if frame is None:
        return [shot.height, int(shot.whole)]
    file = base64.b64encode(still(frame)).decode()
    place = (frame.left, frame.top, frame.width, frame.height, int(frame.replaces), int(frame.cleared))
    return [shot.height, int(shot.whole), *place, file]


def _made(data: dict[str, Any], code: str) -> bytes:
    """Return the file."""
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
