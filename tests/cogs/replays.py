"""Steps of matches for the files of a replay."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from hashlib import sha256
from random import Random
from typing import Any

from cogs.match.playback import Step
from cogs.messages.drawing import Drawing
from cogs.workers.jobs import Job, Result
from cogs.workers.pool import Urgency, urgency
from data.content.texts import texts
from rendering.core.labels import Labels
from rules import GAMES
from rules.core.game import AnyState, Event, View
from tests.support.pixels import shown as drawn

EVIL = "</script><img src=x onerror=alert(1)>"


class Sized(Drawing):
    """Draws no pictures: the pixels of each are a hash of what it shows, as long as `size` says of its quality."""

    def __init__(self, size: Callable[[Any], int] = lambda quality: 64) -> None:
        super().__init__()
        self.size = size
        self.asked: list[tuple[Any, int, Urgency]] = []
        self.views: list[View] = []

    async def done(self, job: Job) -> Result:
        _, how, looks, *known, quality = job.arguments
        self.asked.append((quality, len(looks), urgency.get()))
        self.views += [view for view, _ in looks]
        shown = [sha256(repr((view, drawn(named), quality)).encode()) for view, named in looks]
        pixels = [one.digest().ljust(self.size(quality), b"\0") for one in shown]
        if how == "draw_layers":
            files = {one.hexdigest(): file for one, file in zip(shown, pixels, strict=True)}
            new = {name: file for name, file in files.items() if name not in known[0]}
            sheets = [(900, [(one.hexdigest(), 0, 0)]) for one in shown]
            told = {"sheets": sheets, "files": {name: len(file) for name, file in new.items()}}
            return b"".join(new.values()), json.dumps(told)
        film = b"RIFFsizeWEBP"
        for file in pixels:
            body = bytes(6) + b"\x57\x02\0\xc1\x01\0" + (100).to_bytes(3, "little") + b"\2" + file
            film += b"ANMF" + len(body).to_bytes(4, "little") + body + b"\0" * (len(body) % 2)
        return film, " ".join(["450"] * len(looks))


def labels(slug: str, seats: int, code: str = "en") -> Labels:
    return Labels((EVIL, "**Cleo**", "Ann", "Dmitri", "E", "F", "G", "H")[:seats], texts(code, slug))


def always(labels: Labels) -> Callable[[Step], Labels]:
    """The same names at each step."""
    return lambda _: labels


def data_of(page: bytes) -> dict[str, Any]:
    (found,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', page.decode(), re.DOTALL)
    data: dict[str, Any] = json.loads(found)
    return data


def steps_of(slug: str, seats: int, plies: int, seed: str = "files") -> list[Step]:
    """The first steps of a random match, as an onlooker saw them."""
    random, state = Random(seed), GAMES[slug].new(seats, {}, seed)
    found = [_step(state, state.opening())]
    for _ in range(plies):
        if not state.to_move():
            break
        seat = min(state.to_move())
        state, events = state.apply(random.choice(state.legal_moves(seat)))
        found.append(_step(state, events))
    return found


def _step(state: AnyState, events: tuple[Event, ...]) -> Step:
    seen = tuple(event for event in (event.seen_by(None) for event in events) if event is not None)
    return Step(state, -1, seen, True)
