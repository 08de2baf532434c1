"""Positions of random games, and people with all sorts of names, for the tests of rendering."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from random import Random

import pytest

from data.content.texts import DEFAULT, texts
from rendering import Renderer, renderer
from rendering.core.labels import Labels
from rules import GAMES
from rules.core.game import AnyState, Event, Move, Seat, View
from tests.goldens.views import CASES

LONG = (
    "Wolfeschlegelsteinhausenbergerdo",
    "WWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWW",
    "ﷺ" * 32,
    "𝕸𝖆𝖝𝖎𝖒𝖎𝖑𝖎𝖆𝖓 𝖔𝖋 𝖙𝖍𝖊 𝕯𝖊𝖊𝖕 𝕾𝖊𝖆 𝕴𝖓𝖉𝖊𝖊𝖉",
)
STRANGE = (
    "**bold** _it_ `x` ||s||",
    "مرحبا بالعالم",
    "שלום עולם",
    "🦄\U0001f469\u200d\U0001f469\u200d\U0001f467🏴\u200d☠\ufe0f",
    "Z" + "\u0336\u0335\u0316" * 6 + "algo",
    "\u202eevil\u202c\n\r\tx",
    "\u200b\u200d\ufe0f",
    "田中さくら 김철수 ประยุทธ์ नमस्ते",
)
"""Markdown, right to left, emoji, piled-up accents, control characters, nothing to see, four scripts at once."""


def labels(slug: str, seats: int, names: tuple[str, ...] = (), language: str = DEFAULT) -> Labels:
    """Labels in that language; names are repeated where there are too few."""
    names = names or ("Ann", "Ben", "Chloë", "Dmitri")
    return Labels(tuple(names[seat % len(names)][:32] for seat in range(seats)), texts(language, slug))


def drawn(slug: str) -> Renderer[View, Move]:
    return renderer(slug)


@cache
def game(
    slug: str, seats: int, seed: str, *options: tuple[str, object]
) -> tuple[tuple[AnyState, ...], tuple[Event, ...]]:
    """All states of a random game, and all its events."""
    random = Random(f"{slug} {seats} {seed}")
    state = GAMES[slug].new(seats, dict(options), seed)
    states, events = [state], list(state.opening())
    while awaited := sorted(state.to_move()):
        seat = random.choice(awaited)
        state, happened = state.apply(random.choice(state.legal_moves(seat)))
        states.append(state)
        events += happened
    return tuple(states), tuple(events)


def viewers(seats: int) -> Iterator[Seat | None]:
    yield None
    yield from map(Seat, range(seats))


TABLES = [(slug, seats) for slug, found in GAMES.items() for seats in found.seats]
FEWEST_FIRST = [
    pytest.param(slug, seats, marks=[] if seats == min(GAMES[slug].seats) else pytest.mark.long)
    for slug, seats in TABLES
]
"""For what draws pictures: in a short run with the fewest players alone."""
MEASURED = [
    pytest.param(case, marks=pytest.mark.long if number % 6 else [], id=case.file) for number, case in enumerate(CASES)
]
"""For what is measured on each golden picture, which costs as much as to draw it: in a short run on every sixth."""
