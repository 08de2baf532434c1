"""How a match of Full Sun went, and what stands for a score after a round."""

from __future__ import annotations

from collections.abc import Sequence

from rendering.core.canvas import Page
from rendering.core.discs import disc
from rendering.core.formatting import winners
from rendering.core.labels import Labels
from rendering.core.race import Lane, Marks
from rendering.core.result import SHADE, lay
from rendering.core.story import Honour, Story, honour, places, reason
from rendering.full_sun.glade import painted, place_light, place_tree
from rendering.full_sun.trick import place_bird
from rules.core.game import Event
from rules.full_sun.types import SUITS, FullSunView, RoundScored


def story(view: FullSunView, events: Sequence[Event], labels: Labels) -> Story:
    """Return the story of the match."""
    rounds = [event for event in events if isinstance(event, RoundScored)]
    return Story(
        places(labels, "points", view.points, [scored.points for scored in rounds], winners(view)),
        reason(view.outcome, ("tie_break", "shared"), labels),
        _honours(view, rounds, labels),
        labels.count("rounds", len(rounds)),
    )


def _honours(view: FullSunView, rounds: Sequence[RoundScored], labels: Labels) -> tuple[Honour, ...]:
    results = [scored.result for scored in rounds]
    tallest, most, near = [], [], []
    for seat in range(view.seats):
        tallest.append(max((result.pips[seat] for result in results if seat in result.scored), default=0))
        most.append(max((result.tricks[seat] for result in results), default=0))
        near.append(sum(abs(result.tricks[seat] - result.pips[seat]) == 1 for result in results))
    return (
        *honour(labels, "tallest", tallest, "tricks"),
        *honour(labels, "hungriest", most, "tricks"),
        *honour(labels, "nearest", near, "times"),
    )


SAPLING, DISC, NEAR = 150, 0.3, 1.35
"""The height of a tree with few points, and the width of the disc at the foot of the highest, as a part of its
height; how much nearer it stands than on a table."""


def species(labels: Labels, seat: int) -> str:
    """Return the suit of a seat's tree."""
    return SUITS[labels.disc(seat) % 4]


def place_figure(page: Page, labels: Labels, seat: int, x: float, foot: float, size: int, *, lit: bool) -> float:
    """Place the tree of a seat, and the player's bird on the disc before it. Return where its top is."""
    if lit:
        place_light(page, x, foot, size / 330)
    tall = size * 17 // 20
    place_tree(page, species(labels, seat), x, foot + 2, tall, NEAR if lit else 1, None if lit else SHADE)
    wide = max(72, round(size * DISC))
    left = x - size * 0.32
    page.place(disc(labels, seat, wide), left, foot + 22, "mb")
    place_bird(page, labels, seat, (left, foot + 26 - wide), width=wide * 7 // 8)
    return foot - tall


def place_score(page: Page, labels: Labels, lane: Lane) -> Marks:
    """Place a tree as high as the points, and the player's bird before it; a seedling, if there are none."""
    (seat,), x, foot = lane.place.seats, lane.x, lane.foot
    tall = SAPLING + round((lane.room - SAPLING) * lane.part) if lane.score else 96
    if lane.score:
        if lane.leads:
            place_light(page, x, foot, lane.width / 250, 124)
        place_tree(page, species(labels, seat), x, foot, tall, 1.5 * lane.near, None if lane.leads else SHADE)
    else:
        lay(page, painted("seedling"), x + lane.width * 0.16, foot + 8, lit=lane.leads)  # beside the disc
    left = lane.x - lane.width / 2 + 20 + 46
    page.place(disc(labels, seat, 92), left, foot + 22, "mb")
    place_bird(page, labels, seat, (left, foot + 22 - 92 + 4), width=88)
    return Marks((x, foot - tall + 12), (x + lane.width * 0.2, foot + 14))
