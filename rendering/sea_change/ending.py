"""How a match of Sea Change went, and what stands for a score after a round."""

from __future__ import annotations

from collections.abc import Sequence

from rendering.core.art import art
from rendering.core.canvas import Page
from rendering.core.discs import disc
from rendering.core.labels import Labels
from rendering.core.race import Lane, Marks
from rendering.core.result import lay
from rendering.core.story import Honour, Story, honour, places, reason
from rendering.sea_change.fleet import BADGE, HEADS, ship
from rendering.sea_change.narration import match_winners
from rendering.sea_change.stage import SLUG
from rules.core.game import Event
from rules.sea_change.types import RoundScored, SeaChanged, SeaChangeView


def story(view: SeaChangeView, events: Sequence[Event], labels: Labels) -> Story:
    """Return the story of the match. A place is a side: a team, or a player."""
    rounds = [event for event in events if isinstance(event, RoundScored)]
    numbers = sorted(set(view.sides))
    sides = [tuple(player for player, side in enumerate(view.sides) if side == number) for number in numbers]
    won, totals = match_winners(view), [view.victory_points[number] for number in numbers]
    return Story(
        places(
            labels,
            "victory_points",
            totals,
            [[scored.victory_points[number] for number in numbers] for scored in rounds],
            {at for at, players in enumerate(sides) if won.issuperset(players)},
            sides,
        ),
        reason(view.outcome, ("tie_zero", "tie_cards", "shared"), labels),
        _honours(view, events, sides, labels),
        labels.count("rounds", len(rounds)),
        goal=view.target,
        rounds_are_won=True,
        goal_said=labels.say("picture.first_to", points=labels.count("victory_points", view.target)),
    )


def _honours(
    view: SeaChangeView, events: Sequence[Event], sides: Sequence[tuple[int, ...]], labels: Labels
) -> tuple[Honour, ...]:
    changers = [event.player for event in events if isinstance(event, SeaChanged)]
    rounds = [event.result.points for event in events if isinstance(event, RoundScored)]
    numbers = [view.sides[players[0]] for players in sides]
    richest = [max((points[number] for points in rounds), default=0) for number in numbers]
    return (
        *honour(labels, "changes", [changers.count(player) for player in range(len(view.sides))], "times"),
        *honour(labels, "richest", richest, "points", sides),
    )


BOAT = 240
"""A boat that is wider is a painting of its own."""
FAR, LEAST, MOST = 70, 0.78, 250
"""How far from the pier, in rows, boats without points are; how large they are, as a part of the others; the most width
of one."""


def place_figure(page: Page, labels: Labels, seat: int, x: float, foot: float, size: int, *, lit: bool) -> float:
    """Place a boat with the disc on its sail. Return where the head of its mast is."""
    name = ship(labels, seat)
    boat, foot = art(name.replace("boat", "great") if size > BOAT else name, size), foot - 12
    wide, high = boat.size
    lay(page, boat, x, foot, lit=lit)
    page.place(disc(labels, seat, round(wide * 0.34)), x + wide * (BADGE[0] - 0.5), foot - high * (1 - BADGE[1]), "mm")
    return foot - high * (1 - HEADS[labels.disc(seat) % len(HEADS)])


def place_score(page: Page, labels: Labels, lane: Lane) -> Marks:
    """Place a side's boats on their way to the pier, the nearer the more points they have, those who lead before it; on
    its rail, a lantern for each of these burns.
    """
    seats, part = lane.place.seats, 1 if lane.leads and lane.score > 0 else lane.part
    foot, wide = lane.foot + 4 - FAR * (1 - part), min(MOST, lane.width * (1.3 if len(seats) == 1 else 0.8))
    size = round(wide * (LEAST + (1 - LEAST) * part))
    at = lane.middles(lane.width * 0.5)
    head = min(
        place_figure(page, labels, seat, x, foot, size, lit=lane.leads) for seat, x in zip(seats, at, strict=True)
    )
    step = min(58, (lane.width - 30) / lane.goal)
    for point in range(lane.goal):
        lamp = art(f"{SLUG}/lamp_{'lit' if point < lane.score else 'dark'}", 40)
        page.place(lamp, lane.x + step * (point - (lane.goal - 1) / 2), lane.foot + 8, "mm")
    return Marks((at[-1], head + 6), (at[-1] - size * 0.06, foot - size * 0.04))
