"""How a match of Full Sun went, and what stands for a score after a round."""

from __future__ import annotations

from collections.abc import Sequence

from rendering.core.canvas import Page
from rendering.core.discs import disc
from rendering.core.formatting import winners
from rendering.core.labels import Labels
from rendering.core.race import SHADE, Lane, Marks
from rendering.core.sprites import Sprite
from rendering.core.story import Honour, Story, honour, places, reason
from rendering.full_sun.glade import FOOT, painted, place_tree, tree
from rendering.full_sun.pieces import place_board
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


SAPLING, DISC = 150, 92
"""The height of a tree with few points, and the width of the disc at its foot."""


def species(labels: Labels, seat: int) -> str:
    """Return the suit of a seat's tree."""
    return SUITS[labels.disc(seat) % 4]


def figure(labels: Labels, seat: int, height: int) -> Sprite:
    """Return the tree of a seat."""
    return tree(species(labels, seat), height - 2 * FOOT)


def place_score(page: Page, labels: Labels, lane: Lane) -> Marks:
    """Place a tree as high as the points, and the player's bird before it; a seedling, if there are none."""
    (seat,), x, foot = lane.place.seats, lane.x, lane.foot
    tall = SAPLING + round((lane.room - SAPLING) * lane.part) if lane.score else 96
    if lane.score:
        place_tree(page, species(labels, seat), x, foot, tall, 1.2, None if lane.leads else SHADE)
    else:
        lane.lay(page, painted("seedling"), x + lane.width * 0.16, foot + 8)  # beside the disc
    left = lane.x - lane.width / 2
    place_board(page, "board_idle", left + 8, foot + 12, lane.width - 16, 62)
    page.place(disc(labels, seat, DISC), left + 20 + DISC / 2, foot + 22, "mb")
    place_bird(page, labels, seat, (left + 20 + DISC / 2, foot + 22 - DISC + 4))
    return Marks((x, foot - tall + 12), (x + lane.width * 0.2, foot + 14))
