"""How a match of Photosynthesis went, and what stands for a score after a round."""

from __future__ import annotations

from collections.abc import Sequence

from rendering.core.art import art
from rendering.core.canvas import Page
from rendering.core.discs import disc
from rendering.core.formatting import winners
from rendering.core.labels import Labels
from rendering.core.result import lay
from rendering.core.story import Honour, Story, honour, places, reason
from rendering.photosynthesis.stage import SLUG
from rules.core.game import Event
from rules.photosynthesis.types import LIGHT_A_POINT, Collected, Grown, LightCollected, SunMoved
from rules.photosynthesis.view import PhotosynthesisView


def story(view: PhotosynthesisView, events: Sequence[Event], labels: Labels) -> Story:
    """Return the story of the match, with the points that the stalls show: light counts as at the end (P12)."""
    rounds = _rounds(view, events)
    return Story(
        places(labels, "points", rounds[-1] if rounds else (0,) * view.seats, rounds, winners(view)),
        reason(view.outcome, ("pieces", "shared"), labels),
        _honours(view, events, labels),
        labels.count("rounds", len(rounds)),
    )


def _rounds(view: PhotosynthesisView, events: Sequence[Event]) -> list[tuple[int, ...]]:
    """Return all seats' points after each round, when the next one has brought its light."""
    points, rounds, is_over = [0] * view.seats, list[tuple[int, ...]](), False
    for event in events:
        if isinstance(event, Collected):
            points[event.seat] += event.token.points
        elif isinstance(event, LightCollected) and is_over:
            rounds.append(tuple(own + light // LIGHT_A_POINT for own, light in zip(points, event.light, strict=True)))
        is_over = isinstance(event, SunMoved)
    return [*rounds, view.scores] if view.outcome else rounds


def has_harvest(events: Sequence[Event], recent: Sequence[Event]) -> bool:
    """Return whether a tree was collected in one of the rounds that ended with the newest events, `recent`."""
    ends = [0, *(at for at, event in enumerate(events) if isinstance(event, SunMoved))]
    ended = sum(isinstance(event, SunMoved) for event in recent)
    return any(isinstance(event, Collected) for event in events[ends[-1 - ended] : ends[-1]])


def _honours(view: PhotosynthesisView, events: Sequence[Event], labels: Labels) -> tuple[Honour, ...]:
    collected = [event for event in events if isinstance(event, Collected)]
    growers: list[int] = [event.seat for event in events if isinstance(event, Grown)]
    richest, trees, grown = [], [], []
    for seat in range(view.seats):
        own = [event.token.points for event in collected if event.seat == seat]
        richest.append(max(own, default=0))
        trees.append(len(own))
        grown.append(growers.count(seat))
    return (
        *honour(labels, "richest", richest, "points"),
        *honour(labels, "trees", trees, "trees"),
        *honour(labels, "grown", grown, "times"),
    )


SHEET, TALL, HAT, LEAST_DISC = 620, 420, 330, 60
"""The width of the picture of a gardener; what of its height is seen, and where the hat is in it; the least width of a
disc."""


def place_figure(page: Page, labels: Labels, seat: int, x: float, foot: float, size: int, lit: bool) -> float:
    """Place a gardener before the own trees, with a fist up if in the light. Return where the crown belongs."""
    unit = size / TALL
    lay(page, art(f"{SLUG}/{'victor' if lit else 'grower'}_{seat}", round(SHEET * unit)), x, foot + 4, lit=lit)
    page.place(disc(labels, seat, max(LEAST_DISC, round(100 * unit))), x - 150 * unit, foot + 8, "mb")
    return foot - HAT * unit
